"""Phrases for dangerous actions on controls, in 28 languages; data only.

There are three tables by danger:
    STRONG   dangerous anywhere in a short label: "log out", "löschen"
    LEADING  dangerous only as the command itself, at the start or as the last word of a label: "send", "pay"
    PAIRS    a verb that is harmless alone, and an object: "remove" and "user", "change" and "password"

Entries are separated by commas. Entries in scripts without blanks between words (Chinese, Japanese, Thai) and in Korean
are searched for as substrings.
"""

from enum import Enum


class Danger(Enum):
    """Effect of an action that a crawler must not fire by itself."""

    LOGOUT = "ends the session"
    DELETE = "deletes data"
    ACCESS = "takes away access"
    CREDENTIALS = "changes a password or another credential"
    SEND = "sends or publishes something"
    PAY = "spends money"
    CONTRACT = "ends a subscription or an order"
    SYSTEM = "stops or resets a system"


BY_LINK = frozenset({Danger.LOGOUT, Danger.DELETE, Danger.ACCESS, Danger.CONTRACT, Danger.SYSTEM})
"""Effects that applications have when a link is merely opened. The others require sending a form."""

STRONG = {
    Danger.LOGOUT: """
        log out, logout, log off, logoff, sign out, signout, sign off, signoff, log me out, sign me out,
        end session, abmelden, ausloggen, logge aus, déconnexion, déconnecter, se déconnecter, me déconnecter,
        fermer la session, cerrar sesión, cierre de sesión, desconectar, desconectarse, finalizar sesión,
        disconnetti, disconnettiti, disconnessione, logga ut, terminar sessão, encerrar sessão, terminar a sessão,
        desligar sessão, finalizar sessão, uitloggen, afmelden, log uit, wyloguj, wylogowanie, wyloguj się, выйти,
        выход, завершить сеанс, разлогиниться, вийти, вихід, вийти з системи, завершити сеанс, çıkış, oturumu kapat,
        çıkış yap, oturumu sonlandır, odhlásit, odhlášení, odhlásit se, log ud, log af, logg ut, logg av,
        kirjaudu ulos, kirjaa ulos, uloskirjautuminen, kijelentkezés, kilépés, deconectare, deconectați vă,
        deconectează te, delogare, ieșire, αποσύνδεση, έξοδος, keluar, đăng xuất, تسجيل الخروج, خروج, اخرج, الخروج,
        लॉग आउट, लॉगआउट, साइन आउट, प्रस्थान, התנתקות, התנתק, יציאה, ログアウト, サインアウト, ログオフ, 退出, 登出, 注销, 註銷, 로그아웃,
        ออกจากระบบ, sair, saia, sair do sistema, esci, uscita, annulla l accesso, salir, quitter la session, thoát,
        wyjście, wyjdź, dezautentificare, poistu, αποσυνδεθείτε, odjava, afsluiten sessie, utloggning, logout now,
        خروج از سیستم, बाहर निकलें, צא, ออก
        """,
    Danger.DELETE: """
        delete, deleting, deletion, destroy, erase, purge, wipe, trash, discard message, drop table, drop database,
        truncate table, löschen, lösche, löschung, vernichten, supprimer, suppression, effacer, détruire, eliminar,
        elimina, eliminare, eliminazione, borrar, suprimir, cancellare, cancellazione, excluir, apagar, exclusão,
        verwijderen, verwijder, wissen, vernietigen, usuń, usunąć, usuwanie, skasuj, kasuj, удалить, удаление,
        удали, стереть, уничтожить, видалити, видалення, вилучити, вилучення, стерти, знищити, sil, silme,
        kalıcı olarak sil, smazat, smaž, odstranit, vymazat, radera, ta bort, slet, slette, slett, poista,
        poistaminen, törlés, törlése, töröl, șterge, ștergeți, ștergere, διαγραφή, διαγράψτε, hapus, menghapus, xóa,
        xoá, حذف, مسح, احذف, हटाएं, हटाएँ, हटाये, हटायें, मिटाएं, मिटाएँ, डिलीट, מחיקה, מחק, מחיקת, 削除, 消去, 删除, 刪除,
        清除数据, 삭제, 지우기, ลบ, cancella, elimine, elimínalo, supprime, supprimez, borre, borrado, eliminación, exclua,
        apague, eliminação, usunięcie, видали, удалите, siliniz, silin, smazání, odstranění, borttagning, sletning,
        sletting, poistetaan, törlöm, törlésre, törlendő, stergere, διαγραφεί, σβήσιμο, διέγραψε, dihapus,
        penghapusan, xoá bỏ, إسقاط, المسح, पाक मिटाना, मिटाना, मिटायें, मिटाये, मिटा दें, हटा दें, हटाना, למחוק,
        השמטה, 抹消, 抹除, 削除する, 파기, tuhoa, eldobás, lemezről törlés, αφαίρεσε, verwijdering, radering, raderas, poisto,
        ștergerea, διαγραφής, الحذف, sletningen, in den papierkorb, mettre à la corbeille, mover a la papelera,
        sposta nel cestino, mover para a lixeira, naar de prullenbak, move to trash, move to bin, do kosza,
        przenieś do kosza, в корзину, у кошик, çöpe taşı, çöp kutusuna taşı, do koše, flytta till papperskorgen,
        flyt til papirkurv, flytt til papirkurv, siirrä roskakoriin, lomtárba, mută la gunoi, trimite la gunoi,
        pindahkan ke tempat sampah, bỏ vào thùng rác, نقل إلى سلة المهملات, انتقال به زباله دان, העבר לפח, 移至回收站,
        移到垃圾桶, ゴミ箱へ移動, ごみ箱に移動, 휴지통으로
        """,
    Danger.ACCESS: """
        deactivate, deactivation, revoke, suspend, terminate, ban user, ban email, block user, block this user,
        unpublish, deaktivieren, widerrufen, sperren, désactiver, révoquer, suspendre, bloquer, desactivar, revocar,
        suspender, bloquear usuario, disattiva, disattivare, revoca, revocare, sospendi, desativar, revogar,
        bloquear, deactiveren, intrekken, blokkeren, dezaktywuj, wyłącz konto, unieważnij, zablokuj, деактивировать,
        отозвать, заблокировать, деактивувати, відкликати, заблокувати, devre dışı bırak, iptal et, engelle,
        deaktivovat, odvolat, zablokovat, inaktivera, återkalla, spärra, blockera, deaktiver, tilbagekald, bloker,
        tilbakekall, blokker, deaktivoi, poista käytöstä, deaktiválás, visszavonás, letiltás, dezactivează,
        dezactivare, revocă, blochează, απενεργοποίηση, ανάκληση, nonaktifkan, cabut, vô hiệu hóa, thu hồi,
        إلغاء التفعيل, تعطيل, إلغاء تنشيط, غیر فعال, غیرفعال, निष्क्रिय, השבתה, 無効化, 取り消す, 停用, 吊销, 撤销权限, 비활성화, 취소하기,
        ปิดใช้งาน, deactiveer, aussetzen, pauzeer, zawieś, зупинити, durdur, 暂停, 중지, suspenda, suspendă, keskeytä,
        menunda, tạm ngưng, إلغاء التنشيط, متوقف, השהה, kikapcsolás, felfüggesztés, avsluta erbjudande, 一時中断, 停止,
        анулювати, деактивация, avaktivera, pasifleştir, slå fra, dezactivați, unlink user, benutzer sperren,
        nutzer sperren, blokkolása, حجب, חסימת, अवरोधित, बाधित, 封禁
        """,
    Danger.SEND: """
        send message, send email, send e mail, send mail, send invitation, send invite, send request, publish now,
        nachricht senden, einladung senden, envoyer le message, enviar mensaje, enviar mensagem, invia messaggio,
        verstuur bericht, wyślij wiadomość, отправить сообщение, надіслати повідомлення, bericht plaatsen, share now,
        submit review, post review, post comment, make public, deploy
        """,
    Danger.PAY: """
        buy now, pay now, order now, place order, place your order, submit order, confirm order, complete order,
        complete purchase, confirm purchase, confirm payment, make payment, submit payment, proceed to pay,
        proceed to checkout, confirm and pay, order with obligation to pay, send money, transfer money,
        transfer funds, jetzt kaufen, jetzt bezahlen, kaufen, bezahlen, zahlungspflichtig bestellen,
        kostenpflichtig bestellen, bestellen, bestellung aufgeben, bestellung abschicken, überweisen, acheter,
        payer, commander, passer la commande, passer commande, valider la commande, comprar, pagar, realizar pedido,
        hacer pedido, finalizar compra, finalizar pedido, fazer pedido, encomendar, acquista, acquistare, paga,
        pagare, effettua ordine, effettua l ordine, invia ordine, compra, kopen, betalen, bestelling plaatsen, kup,
        kup teraz, zapłać, zamów, złóż zamówienie, купить, оплатить, заказать, оформить заказ, сделать заказ,
        купити, сплатити, оплатити, замовити, оформити замовлення, satın al, öde, sipariş ver, siparişi tamamla,
        siparişi onayla, koupit, zaplatit, objednat, odeslat objednávku, köp, betala, beställ, lägg beställning,
        slutför beställning, køb, betal, bestil, afgiv ordre, kjøp, osta, maksa, tilaa, lähetä tilaus, vásárlás,
        fizetés, megrendelés, megrendelem, rendelés leadása, cumpără, plătește, plasează comanda, trimite comanda,
        αγορά, πληρωμή τώρα, υποβολή παραγγελίας, ολοκλήρωση παραγγελίας, beli, bayar, pesan sekarang, mua ngay,
        thanh toán, đặt hàng, شراء, ادفع, إتمام الطلب, تأكيد الطلب, خرید, ثبت سفارش, खरीदें, भुगतान करें,
        ऑर्डर करें, קנה, שלם, בצע הזמנה, 購入, 支払う, 注文を確定, 注文する, 购买, 支付, 付款, 下单, 提交订单, 구매, 결제, 주문하기, ซื้อ, ชำระเงิน,
        สั่งซื้อ, plaats bestelling, zamawiam, розмістити замовлення, 下订单, 注文の確定, tee tilaus, tuliskan pesanan,
        buat pesanan, سفارش دهید, שליחת הזמנה, einkauf abschließen, bestellung absenden, envoyer la commande,
        enviar pedido, make a payment, kupuję, confirmar transferência, confirmar transferencia, إتمام الشراء
        """,
    Danger.CREDENTIALS: "regenerate token, regenerate key, rotate token, rotate key, rotate secret, reset token",
    Danger.CONTRACT: """
        unsubscribe, opt out, abbestellen, kündigen, se désabonner, désabonner, désinscrire, résilier,
        darse de baja, anular suscripción, cancelar suscripción, cancelar assinatura, disiscriviti,
        annulla iscrizione, annulla abbonamento, uitschrijven, opzeggen, anuluj subskrypcję, wypisz, отписаться,
        отменить подписку, відписатися, скасувати підписку, abonelikten çık, aboneliği iptal et, odhlásit odběr,
        zrušit odběr, avsluta prenumeration, avregistrera, säg upp, afmeld, opsig, meld av, avslutt abonnement,
        peruuta tilaus, leiratkozás, dezabonare, διαγραφή συνδρομής, berhenti berlangganan, hủy đăng ký,
        إلغاء الاشتراك, لغو اشتراک, सदस्यता समाप्त, ביטול מנוי, 購読解除, 解約, 退会, 取消订阅, 退订, 구독 취소, 탈퇴, ยกเลิกการสมัคร
        """,
    Danger.SYSTEM: """
        shut down, shutdown, power off, poweroff, reboot, factory reset, format disk, format drive, restart server,
        restart system, restart computer, restart device, restart kernel, restart service, kill process,
        kill session, reset database, reset all settings, reset to factory, herunterfahren, neu starten, neustart,
        neustarten, werkseinstellungen, ausschalten, éteindre, redémarrer, réinitialiser la base, apagar equipo,
        reiniciar, spegni, riavvia, desligar, afsluiten, herstarten, opnieuw opstarten, wyłącz komputer,
        uruchom ponownie, zrestartuj, выключить, перезагрузить, перезапустить, вимкнути, перезавантажити,
        перезапустити, yeniden başlat, bilgisayarı kapat, vypnout počítač, restartovat, stäng av, starta om,
        luk ned, genstart, slå av, start på nytt, sammuta, käynnistä uudelleen, leállítás, újraindítás, oprire,
        repornire, τερματισμός, επανεκκίνηση, matikan, mulai ulang, tắt máy, khởi động lại, إيقاف التشغيل,
        إعادة التشغيل, خاموش, راه اندازی مجدد, बंद करें सिस्टम, पुनः आरंभ, כיבוי, הפעלה מחדש, シャットダウン, 再起動, 关机, 重启,
        重新启动, 종료하기, 다시 시작, 재시작, ปิดเครื่อง, roll back, rollback, flush all, flush database, scale to zero, 出厂设置
        """,
}

LEADING = {
    Danger.DELETE: """
        drop, empty trash, empty bin, clear all data, clear history, clear database, leeren, papierkorb leeren,
        vider, vider la corbeille, vaciar, vaciar papelera, esvaziar, esvaziar lixeira, svuota, svuota cestino,
        leegmaken, prullenbak legen, opróżnij, opróżnij kosz, очистить корзину, очистити кошик, çöpü boşalt, boşalt,
        vyprázdnit, töm, töm papperskorgen, tøm, tømme, tyhjennä, kiürítés, golește, κένωσμα, άδειασμα, kosongkan,
        làm trống, أفرغ, إفراغ, تفريغ, خالی کردن, रिक्त करें, לרוקן, ריקון, ごみ箱を空に, 空にする, 清空, 비우기, legen, leer,
        limpa, limpar dados, очистить, очистити, 空, rỗng, verwerfen, esvaziar pasta, ürítése, ürítés, goleşte,
        vysypat, dọn sạch, κένωση, فارغ, خالی, खाली, रिक्त, רוקן, töm mapp
        """,
    Danger.SEND: """
        send, resend, re send, publish, post, tweet, invite, notify, submit for publication, release, senden,
        absenden, versenden, verschicken, abschicken, veröffentlichen, einladen, posten, envoyer, publier, inviter,
        expédier, renvoyer, enviar, publicar, invitar, convidar, reenviar, invia, inviare, pubblica, pubblicare,
        invita, spedisci, verzenden, versturen, verstuur, publiceren, publiceer, uitnodigen, wyślij, wysłać,
        opublikuj, publikuj, zaproś, отправить, отправка, опубликовать, пригласить, послать, надіслати, відправити,
        опублікувати, запросити, gönder, yayınla, yayımla, davet et, odeslat, poslat, publikovat, zveřejnit, pozvat,
        skicka, publicera, bjud in, sende, publicér, udgiv, publiser, lähetä, julkaise, kutsu, küldés, elküld,
        közzététel, meghívás, trimite, trimiteți, publică, invită, αποστολή, δημοσίευση, δημοσίευσε, πρόσκληση,
        kirim, terbitkan, undang, gửi, xuất bản, đăng bài, mời, إرسال, ارسل, أرسل, نشر, دعوة, ارسال, انتشار, بفرست,
        भेजें, भेजे, प्रकाशित करें, प्रकाशित, आमंत्रित करें, שליחה, שלח, פרסום, פרסם, הזמן, 送信, 送信する, 公開, 公開する, 投稿,
        投稿する, 招待, 发送, 發送, 寄出, 发布, 發佈, 发表, 邀请, 보내기, 보내다, 메일 보내기, 메시지 보내기, 발행, 게시, 공개하기, 초대, 전송, ส่ง, เผยแพร่,
        verzend, prześlij, prześlij ponownie, re invia, wyslij, sänd, retrimite, επανάληψη αποστολής, újraküldése,
        بازارسال, إعادة ارسال, إعادة إرسال, kirimkan, mengirim, שליחת, publicaţi, przekaż dalej, közzététele,
        küldése, انشر, offentliggør, publikuj stronę, đăng trang, 게시하기, 出版, записать страницу, veröffentliche
        """,
    Danger.PAY: """
        pay, buy, purchase, order, checkout, check out now, donate, subscribe, tip, bid, withdraw, deposit,
        transfer, abonnieren, spenden, s abonner, faire un don, virement, suscribirse, donar, transferir, assinar,
        doar, iscriviti, abbonati, dona, trasferisci, abonneren, doneren, overmaken, subskrybuj, przekaż, przelej,
        подписаться, перевести, пожертвовать, підписатися, переказати, abone ol, bağış yap, transfer et, odebírat,
        převést, prenumerera, överför, tilmeld, overfør, abonner, siirrä varoja, feliratkozás, átutalás,
        abonează te, transferă, εγγραφή συνδρομής, transfer dana, chuyển tiền, اشترك, تحويل, 送金, 寄付, 转账, 捐赠, 이체, 송금
        """,
    Danger.ACCESS: """
        ban, disable, reject, discard, unlink user, block, unpair, blockieren, sperren, verwerfen, ablehnen, deaktivieren,
        verrouiller, rejeter, bloquer, blocca, disabilita, rifiuta, bloquear, deshabilitar, inhabilitar, rechazar,
        desabilitar, rejeitar, blokkeren, uitschakelen, vergrendelen, afwijzen, zablokuj, blokuj, wyłącz, odrzuć,
        заблокировать, блокировать, отключить, отклонить, заблокувати, блокувати, вимкнути, відхилити, kilitle,
        engelle, reddet, devre dışı, uzamknout, zamknout, zakázat, zablokovat, zamítnout, lås, inaktivera, avvisa,
        blockera, deaktiver, afvis, bloker, blokker, avslå, lukitse, poista käytöstä, hylkää, zárolás, letilt,
        letiltás, tiltás, elutasítás, blochează, blochează acest utilizator, dezactivează, respinge, κλείδωμα,
        φραγή, απενεργοποίηση, απόρριψη, kunci, blokir, tolak, nonaktifkan, khóa, cấm, từ chối, قفل, حظر, منع,
        تعطيل, رفض, بستن کاربر, غیرفعال, قطع دسترسی, निष्क्रिय, अवरोधित, חסימה, חסום, נעל, השבת, ロック, 無効にする, ブロック,
        却下, 锁定, 禁用, 封禁, 封锁, 拒绝, 잠금, 차단, 거부, 비활성, kikapcsol, tắt, vô hiệu, خاموش کردن, avaktivera, désactiver,
        deaktiveren, lezár, ilgili kullanıcıyı engelle, blokkeer, vergrendel, verrouillage
        """,
    Danger.SYSTEM: """
        kill, halt, stop server, stop service, terminate, beenden erzwingen, tuer, matar, reset replica,
        restore all default, restore default settings, termina processo, beenden, termina, stop proces, zabij,
        завершить, завершити, sonlandır, 杀死, 停止, 강제로 끝냄, döda, ukončit, dræb, lopeta, avslutt, leállít, giết, חיסול,
        mata, убить, stopp
        """,
}

_PERSONS = """
    account, accounts, user, users, member, members, owner, owners, profile, subscriber, subscribers, collaborator,
    collaborators, administrator, admin, role, permission, permissions, listed, selected, all, everyone, device,
    devices, session, sessions, key, token, partitioning, domain, repository, database, server, subscription,
    membership, konto, konten, benutzer, benutzerkonto, nutzer, mitglied, mitglieder, profil, alle, compte,
    utilisateur, membre, tous, cuenta, usuario, miembro, perfil, todos, conta, membro, utente, profilo, tutti,
    gebruiker, lid, allemaal, użytkownika, konta, członka, profilu, wszystko, аккаунт, учетную, учётную,
    пользователя, участника, профиль, все, обліковий, користувача, учасника, профіль, hesap, hesabı, hesabımı,
    kullanıcı, kullanıcıyı, üye, účet, uživatele, člena, användare, användaren, kontot, mitt, bruger, brugeren,
    kontoen, kontoen min, brukeren, tili, tilini, käyttäjä, jäsen, fiók, fiókom, fiókomat, felhasználó, cont,
    contul, contul meu, utilizator, utilizatorul, λογαριασμού, λογαριασμό, χρήστη, akun, pengguna, tài khoản, حساب,
    حسابي, المستخدم, کاربر, खाता, उपयोगकर्ता, חשבון, משתמש, アカウント, ユーザー, 账户, 帐户, 账号, 帐号, 用户, 使用者, 계정, 사용자, 회원,
    brugerkonto, brukerkonto, החשבון, seleccionado, seleccionados, selecionado, selecionados, ausgewählte,
    sélectionnés, sélection, 选中, 선택된, 選択
    """

_SECRETS = """
    password, passwords, passphrase, passcode, pin, email, e mail, mail address, two factor, twofactor, mfa, totp,
    api key, secret, authentication, authenticator, passwort, kennwort, passworts, passwörter, mot de passe,
    courriel, contraseña, clave, correo, senha, e posta, eposta, wachtwoord, hasło, hasła, пароль, пароля, почту,
    почты, пошту, пошти, эл, şifre, şifremi, şifreyi, parola, parolayı, parolamı, heslo, hesla, e mailu, lösenord,
    lösenordet, e post, epost, e postadress, adgangskode, adgangskoden, kodeord, passord, passordet, salasana,
    salasanan, salasanani, sähköposti, sähköpostiosoite, jelszó, jelszava, jelszavam, jelszót, parolă, parolei,
    κωδικού, κωδικό, κωδικός, συνθηματικού, συνθηματικό, kata sandi, sandi, mật khẩu, thư điện tử, كلمة المرور,
    كلمة السر, المرور, السر, البريد, رمز عبور, گذرواژه, رمز, ایمیل, رایانامه, पासवर्ड, कूटशब्द, ईमेल, סיסמה, הסיסמה,
    סיסמא, סיסמתי, דואר, パスワード, メール, 密码, 密碼, 口令, 邮箱, 电子邮件, 비밀번호, 암호, 이메일, 전자우편, รหัสผ่าน, อีเมล, palavra passe,
    passe, e mailul, e mailuri, ηλεκτρονικού ταχυδρομείου, אימייל, כלמה, كلمة, مروري, سر, authentificatie,
    authentifizierung, uwierzytelnianie, autenticación, autenticação, autenticazione, authentification, kimlik,
    身份验证, 認証, 인증, jelszóváltoztatás
    """

PAIRS = {
    Danger.DELETE: (
        """
        remove, drop, clear, discard, truncate, entfernen, retirer, enlever, quitar, remover, remova, rimuovi,
        rimuovere, zrušit, убрать, прибрати, kaldır, fjern, fjerne, távolítsa, eltávolítás, elimină, αφαίρεση, gỡ,
        إزالة, ازالة, برداشتن, निकालें, הסרה, הסר, להסיר, αφαίρεσε, eltávolítása, 抹消, 移除, 取消选中, 제거, エントリを削除
        """,
        _PERSONS,
    ),
    Danger.ACCESS: (
        """
        close, unlink, disconnect, disable, lock, ban, block, expel, kick, leave, schließen, fermer, cerrar, chiudi,
        fechar, encerrar, sluiten, zamknij, закрыть, закрити, kapat, zavřít, stäng, luk, lukk, sulje, estä, بستن,
        قطع, blokir, cấm, φραγή, חסימת, blockera, blokker, engelle
        """,
        """
        account, user, member, owner, subscriber, organization, organisation, workspace, group, team, channel, konto, benutzer,
        benutzerkonto, compte, cuenta, conta, gebruiker, аккаунт, обліковий, hesabı, hesabımı, účet, tili, fiók,
        käyttäjä, käyttäjän, کاربر, pengguna, người dùng, χρήστη, המשתמש, kullanıcıyı, användaren, brukeren
        """,
    ),
    Danger.CREDENTIALS: (
        """
        change, reset, set, update, new, save, send, re send, resend, disable, enable, configure, remove,
        regenerate, revoke, get, request, ändern, zurücksetzen, setzen, neues, neu, speichern, senden, zusenden,
        anfordern, festlegen, aktualisieren, deaktivieren, aktivieren, changer, changez, modifier, réinitialiser,
        réinitialisez, réinitialisation, définir, nouveau, envoyer, activer, désactiver, configurer, changement,
        cambiar, cambia, restablecer, establecer, nueva, nuevo, modificar, actualizar, enviar, recuperar, reiniciar,
        activar, desactivar, reinicializar, definir, asignar, mudar, alterar, redefinir, trocar, nova, novo,
        atualizar, resetar, desativar, ativar, habilitar, desabilitar, cambiare, reimposta, reimpostare, imposta,
        impostare, modifica, modificare, nuova, nuovo, resetta, ripristina, invia, abilita, disabilita, wijzigen,
        wijzig, veranderen, instellen, nieuw, nieuwe, opnieuw, herstellen, stel, sturen, stuur, verander,
        uitschakelen, inschakelen, aanpassen, zmień, zmiana, zresetuj, ustaw, nowe, resetuj, wyślij, zmienić,
        wyłącz, włącz, ponów, resetowanie, nadaj, изменить, сменить, сбросить, установить, новый, задать, поменять,
        восстановить, отправить, отключить, включить, сброс, смена, изменение, обновить, змінити, скинути,
        встановити, новий, задати, відновити, надіслати, вимкнути, увімкнути, зміна, скидання, değiştir, sıfırla,
        belirle, ayarla, yeni, gönder, güncelle, değiştirin, sıfırlayın, oluştur, změnit, změna, obnovit, nastavit,
        nové, nový, zaslat, resetovat, poslat, zakázat, povolit, vypnout, odeslat, vygenerovat, znovu, ändra, byt,
        återställ, ange, nytt, ny, skicka, ställ, uppdatera, sätt, inaktivera, aktivera, skift, ændr, nulstil,
        angiv, sæt, nyt, opdater, deaktiver, aktiver, ændre, endre, tilbakestill, nullstill, angi, bytt, sett, lag,
        vaihda, palauta, aseta, uusi, lähetä, muuta, nollaa, nollaus, päivitä, módosítása, megváltoztatása,
        változtatása, visszaállítása, beállítása, új, csere, módosít, megváltoztat, küldése, változtat, állítása,
        alaphelyzetbe, cseréje, váltás, megváltoztatom, schimbă, schimbați, schimbare, resetează, resetați,
        resetare, setează, setați, nouă, trimite, modifică, modificați, schimbarea, schimba, reseteaza, setare,
        reinițializare, actualizează, αλλαγή, αλλάξτε, επαναφορά, ορισμός, νέος, νέο, νέου, αποστολή, αλλαγη,
        επαναφέρετε, ρύθμιση, ακύρωση, ubah, ganti, atur, setel, baru, kirim, mengubah, perbarui, aktifkan,
        nonaktifkan, đổi, thay, đặt, mới, gửi, thay đổi, đặt lại, khôi phục, تغيير, غيّر, غير, غیر, استعادة, إعادة,
        تعيين, جديدة, جديد, إرسال, تعديل, ضبط, استرجاع, أرسل, بدل, اعادة, تغییر, بازنشانی, تنظیم, جدید, تازه,
        فرستادن, بازیابی, ایجاد, ارسال, बदलें, बदले, बदलो, रीसेट, सेट, नया, नये, भेजें, परिवर्तन, रिसेट,
        पुनर्स्थापित, फिर, שינוי, שנה, שנו, איפוס, אפס, קביעת, קביעה, חדשה, שליחת, אתחול, לשנות, הגדרת, החלפת, לאפס,
        שלח, 変更, リセット, 設定, 再設定, 新しい, 送信, 再発行, 修改, 更改, 重置, 重设, 设置, 新密码, 发送, 更新, 找回, 变更, 변경, 재설정, 설정, 새, 초기화, 바꾸기, 전송,
        보내기, เปลี่ยน, ตั้ง, รีเซ็ต, перевстановіть, استعد, पुनःस्थापना, nollställ, làm lại, làm, herstel, uusiminen,
        重发, 再送, 재전송, deactiveer, etkisizleştir, 禁用, 無効, verschicken, nochmal, اضبط, jelszóváltoztatás, 启用, bezig,
        wachtwoord opnieuw
        """,
        _SECRETS,
    ),
    Danger.CONTRACT: (
        """
        cancel, end, terminate, stornieren, annuler, cancelar, anular, annulla, annullare, annuleren, anuluj,
        отменить, скасувати, iptal, zrušit, avbryt, annuller, peruuta, lemondás, anulează, ακύρωση, batalkan, hủy,
        إلغاء, لغو, रद्द, ביטול, キャンセル, 取消, 취소
        """,
        """
        subscription, membership, order, booking, reservation, account, plan, contract, abo, abonnement, vertrag,
        bestellung, buchung, mitgliedschaft, commande, réservation, suscripción, pedido, reserva, assinatura,
        iscrizione, ordine, prenotazione, abbonamento, bestelling, boeking, subskrypcję, zamówienie, rezerwację,
        подписку, заказ, бронирование, підписку, замовлення, aboneliği, siparişi, rezervasyonu, objednávku,
        rezervaci, prenumeration, beställning, bokning, ordre, tilaus, varaus, előfizetés, rendelés, abonament,
        comanda, συνδρομή, παραγγελία, langganan, pesanan, đơn hàng, الطلب, الاشتراك, سفارش, अनुक्रम, ऑर्डर, הזמנה,
        מנוי, 注文, 予約, 订单, 訂單, 订阅, 주문, 예약, 구독
        """,
    ),
    Danger.SYSTEM: (
        """
        reset, restart, format, restore, reinstall, start, stop, clear, wiederherstellen, zurücksetzen, restaurer,
        rétablir, réinitialiser, restaurar, restablecer, ripristina, herstellen, przywróć, восстановить, сбросить,
        відновити, скинути, geri yükle, geri getir, sıfırla, obnovit, återställ, gendan, nulstil, gjenopprett,
        tilbakestill, palauta, visszaállítása, restaurează, επαναφορά, kembalikan, pulihkan, khôi phục, استعادة,
        استرجاع, استرجع, بازگرداندن, بازیابی, שחזור, 復元, 戻す, 恢复, 恢復, 還原, 복원, 되돌리기
        """,
        """
        server, system, database, disk, drive, kernel, computer, machine, service, device, router, factory, replica,
        thread, everything, container, pod, vm, cluster, instance, node, defaults, preferences, standardeinstellungen, einstellungen,
        voreinstellungen, par défaut, préférences, predeterminados, predeterminadas, preferencias, padrão,
        predefinidas, predefinite, impostazioni, standaardinstellingen, standaardvoorkeuren, domyślne, domyślnych,
        preferencje, умолчанию, настройки, налаштування, varsayılan, ayarları, výchozí, nastavení,
        standardinställningar, inställningar, standardindstillinger, indstillinger, standardinnstillinger,
        innstillinger, asetukset, oletusasetukset, alapértelmezett, beállítások, implicite, preferințele, setările,
        προεπιλεγμένες, προεπιλογών, ρυθμίσεις, ρυθμίσεων, pengaturan, mặc định, tùy chọn, الافتراضية, الإعدادات,
        التفضيلات, پیش فرض, ترجیحات, ברירת המחדל, ההעדפות, 既定, 默认, 预设, 設置, 기본 설정
        """,
    ),
}
