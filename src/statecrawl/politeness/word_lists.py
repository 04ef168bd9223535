"""Words that decide what a label, a field, a URL or an icon means, in 28 languages; data only.

The dangerous actions themselves are in `lexicon`. Entries are separated by commas or blanks, as there.
"""

from statecrawl.politeness.lexicon import Danger

NOUNS = frozenset(
    """
    history details detail status   id ids number numbers no list lists summary track tracking overview asc desc
    direction form forms date dates total totals type types price prices request requests requisition requisitions
    orders slip slips stub stubs roll rolls grade grades scale scales period periods day days rate rates gap gaps
    pal time times branch commit method methods code codes box notes note settings template templates line lines
      page pages guide card cards office comment thumbnail format formats category categories tag tags link
    links title preview report reports message log logs view menu panel tab filter column sort confirmation reply
    replies
    """.split()
)
"""English words that turn an ambiguous verb before them into a noun: "order history", "pay slips", "post formats"."""

ORDER_NOUNS = frozenset({"by", "of", "item", "items"})
"""The same for "order" alone: "Order by name", but "Pay by card"."""

QUESTIONS = """
    how, why, what, when, where, which, who, can i, learn, learn more, read, read more, about, guide, tutorial,
    documentation, docs, help, faq, manual, reference, wie, warum, was, hilfe, anleitung, comment, pourquoi, aide,
    cómo, por qué, ayuda, guía, documentación, como, por que, ajuda, documentação, come, perché, guida,
    documentazione, aiuto, hoe, waarom, documentatie, handleiding, jak, dlaczego, pomoc, dokumentacja, как, почему,
    справка, помощь, документация, як, чому, довідка, документація, nasıl, neden, yardım, proč, nápověda,
    dokumentace, hur, varför, hjälp, hvordan, hvorfor, hjælp, hjelp, dokumentasjon, dokumentation, miten, kuinka,
    ohje, hogyan, súgó, dokumentáció, cum, ajutor, documentație, πώς, βοήθεια, τεκμηρίωση, bagaimana, bantuan,
    dokumentasi, cách, trợ giúp, كيف, مساعدة, التوثيق, چگونه, راهنما, مستندات, कैसे, सहायता, מדוע, כיצד, עזרה,
    תיעוד, 方法, ヘルプ, 如何, 怎么, 怎麼, 帮助, 幫助, 文档, 방법, 도움말, วิธี
    """
"""Start of labels that ask or explain."""

NEGATIONS = frozenset(
    "not dont don no never nicht kein keine pas ne niet geen nie не non nao não no ikke inte ei nu δεν μην".split()
)
"""Words that negate the verb after them: "don't delete", "nicht löschen"."""

HARMLESS = frozenset(
    """
    cancel close back no edit show hide view open help search add new create copy download next previous undo
    restore toggle select unselect filter sort preview refresh reload expand collapse print export import details
    more keep dismiss login register abbrechen schließen zurück nein bearbeiten anzeigen annuler fermer retour non
    modifier afficher cancelar cerrar volver editar mostrar annulla chiudi indietro modifica annuleren sluiten terug
    nee bewerken anuluj zamknij wstecz nie edytuj отмена закрыть назад нет изменить скасувати закрити ні редагувати
    iptal kapat geri hayır düzenle zrušit zavřít zpět ne upravit avbryt stäng nej redigera annuller luk tilbage
    rediger lukk peruuta sulje takaisin muokkaa mégse bezárás vissza szerkesztés
    """.split()
)
"""Start of labels that are harmless, whatever the technical name of the control says."""

GENERIC = frozenset(
    """
    ok okay yes sure confirm continue proceed submit apply go accept agree save done finish do it i am m really
    please and ja jawohl bestätigen weiter fortfahren absenden übernehmen speichern fertig oui confirmer continuer
    valider appliquer enregistrer sí si confirmar continuar aceptar aplicar guardar sim aceitar salvar sì conferma
    continua procedi accetta applica salva bevestigen doorgaan toepassen opslaan akkoord tak potwierdź kontynuuj
    dalej zastosuj zapisz да подтвердить продолжить далее применить сохранить так підтвердити продовжити застосувати
    зберегти evet onayla devam uygula kaydet tamam ano potvrdit pokračovat použít uložit bekräfta fortsätt tillämpa
    spara bekræft fortsæt gem bekreft fortsett lagre kyllä vahvista jatka käytä tallenna igen megerősítés folytatás
    alkalmaz mentés da confirmă continuă aplică salvează ναι επιβεβαίωση συνέχεια αποθήκευση ya konfirmasi lanjutkan
    simpan có xác nhận tiếp tục lưu نعم تأكيد متابعة حفظ موافق بله تایید ادامه ذخیره हाँ पुष्टि जारी सहेजें כן אישור
    המשך שמור はい 確認 続行 確定 保存 是 确定 确认 继续 提交 예 네 확인 계속 저장
    """.split()
)
"""Generic labels, which mean what the heading of their dialog or form says."""

EXECUTING = frozenset(
    """
    execute perform ausführen durchführen exécuter effectuer ejecutar realizar executar esegui effettua uitvoeren
    wykonaj выполнить виконати uygula provést utför udfør utfør suorita végrehajtás execută εκτέλεση jalankan
    thực hiện تنفيذ اجرا ביצוע 実行 执行 執行 실행
    """.split()
)
"""Further generic labels, which are not part of other commands."""

ONWARD = frozenset(
    """
    continue proceed next weiter fortfahren continuer suivant continuar siguiente seguinte continua procedi avanti
    doorgaan volgende kontynuuj dalej продолжить далее продовжити далі devam pokračovat další fortsätt nästa fortsæt
    næste fortsett neste jatka seuraava folytatás continuă συνέχεια lanjutkan tiếp tục متابعة ادامه जारी המשך 続行 次へ
    继续 下一步 계속 다음
    save speichern enregistrer guardar salvar salva opslaan zapisz сохранить зберегти kaydet uložit spara gem lagre
    tallenna mentés salvează αποθήκευση simpan lưu حفظ ذخیره सहेजें שמור 保存 저장
    """.split()
)
"""Generic labels that lead to a further step or save a draft, so that nothing is paid or sent yet."""

TRANSACTIONS = {
    Danger.PAY: """
        transfer, bank transfer, wire transfer, money transfer, payment, remittance, withdrawal, donation, überweisung,
        sepa überweisung, zahlung, spende, virement, virement bancaire, paiement, transferencia, transferencia bancaria,
        pago, donación, bonifico, bonifico bancario, pagamento, donazione, transferência, doação, overboeking,
        overschrijving, betaling, przelew, płatność, денежный перевод, банковский перевод, перевод средств, платёж,
        платеж, оплата, переказ, платіж, havale, para transferi, ödeme, bankovní převod, platba, banköverföring,
        betalning, bankoverførsel, bankoverføring, tilisiirto, átutalás, fizetés, plată, transfer bancar, πληρωμή,
        μεταφορά χρημάτων, pembayaran, chuyển khoản, thanh toán, تحويل بنكي, الدفع, پرداخت, भुगतान, תשלום,
        העברה בנקאית, 振込, 振り込み, 送金, 支払い, 转账, 轉帳, 汇款, 付款, 이체, 송금, 결제
        """,
    Danger.SEND: """
        message, private message, direct message, new email, new e mail, compose email, sms, invitation, nachricht,
        neue e mail, neue mail, einladung, nouveau courriel, mensaje, nuevo correo, invitación, messaggio, invito,
        mensagem, convite, nieuw bericht, uitnodiging, wiadomość, zaproszenie, сообщение, новое письмо, приглашение,
        повідомлення, mesaj, davet, zpráva, meddelande, inbjudan, besked, melding, viesti, üzenet, meghívó, μήνυμα,
        pesan, tin nhắn, رسالة, پیام, संदेश, הודעה, メッセージ, 消息, 邮件, 메시지
        """,
}
"""Nouns for things that are paid or sent. As the heading of a form, they reveal what sending it does.

A single word for a message needs one of MAKING beside it: a form "Message" may set one that others are shown.
"""

MAKING = frozenset(
    """
    new make create write compose a an the your my neu neue neuer neues nouveau nouvel nouvelle un une le la nuevo
    nueva una nuovo nuova novo nova um uma nieuw nieuwe een nowy nowa nowe новый новое новая новий нова нове yeni nový
    nová nové ny nytt nya nyt uusi új nou nouă νέο νέα baru mới جديد جديدة جدید नया חדש חדשה 新 新しい 새
    """.split()
)
"""Words that may occur beside such a noun: "New message", "Make a payment"."""

FRESH = frozenset(
    """
    new neu neue neuer neues nouveau nouvel nouvelle nuevo nueva nuovo nuova novo nova nieuw nieuwe nowy nowa nowe
    новый новая новое новий нова нове yeni nový nová nové ny nytt nya nyt uusi új nou nouă νέο νέα νέος baru جديد جديدة
    جدید नया חדש חדשה 新 新しい 新規 새 신규 ใหม่
    """.split()
)
"""Words for "new" in names of fields."""

FORMER = frozenset(
    """
    old current existing previous actual alt altes aktuell aktuelles ancien ancienne actuel actuelle antiguo antigua
    vecchio vecchia attuale antigo antiga atual oud oude huidig huidige stary stare obecne старый текущий eski mevcut
    staré současné gammalt nuvarande gammel nuværende nåværende vanha nykyinen régi jelenlegi 旧 现 当前 現在 기존 현재
    """.split()
)
"""Words for "old" in names of fields."""

MAIL = frozenset(
    "email mail emailaddress emailadresse mailadresse courriel correo epost eposta メール 邮箱 邮件 이메일".split()
)
"""Words for an e-mail address in names of fields."""

PASSWORDS = frozenset(
    """
    password passwd pass pwd passphrase passcode passwort kennwort motdepasse contrasena clave senha wachtwoord haslo
    пароль parola sifre heslo losenord adgangskode kodeord passord salasana jelszo パスワード 密码 密碼 비밀번호
    """.split()
)
"""Words for a password in names of fields."""

AMOUNTS = frozenset(
    """
    amount betrag montant importe monto importo valor quantia bedrag kwota сумма сума tutar miktar částka belopp beløb
    summa osszeg suma ποσό jumlah sotien مبلغ राशि סכום 金額 金额 금액
    """.split()
)
"""Words for an amount in names of fields."""

RECIPIENTS = frozenset(
    """
    to recipient recipients receiver payee beneficiary mailto empfaenger empfänger zahlungsempfaenger destinataire
    destinataires beneficiaire destinatario destinatarios destinatari beneficiario ontvanger begunstigde odbiorca
    adresat получатель кому одержувач alıcı příjemce mottagare modtager mottaker saaja vastaanottaja címzett
    destinatar παραλήπτης penerima مستلم گیرنده נמען 受取人 宛先 收款人 收件人 받는사람 수취인
    """.split()
)
"""Words for a recipient in names of fields."""

TO_WHOM = frozenset("to account acct user username email mail address addr name id number phone on off".split())
"""Words beside which "to" means a recipient and not the end of a range: "to_account", but not "date_to"."""

MESSAGES = frozenset(
    """
    body message msg subject betreff nachricht objet sujet asunto mensaje cuerpo oggetto messaggio corpo assunto mensagem
    onderwerp bericht temat wiadomosc tresc тема сообщение повідомлення konu mesaj předmět zpráva ämne meddelande emne
    besked melding aihe viesti tárgy üzenet subiect θέμα μήνυμα subjek 件名 本文 主题 正文 제목 본문
    """.split()
)
"""Words for a message in names of fields."""

FILLERS = GENERIC | frozenset(
    """
    understand consequences permanently now then want to would like still force mass just please all the my your this that selected a an
    jetzt wirklich endgültig maintenant définitivement ahora permanentemente agora ora nu teraz сейчас навсегда
    şimdi
    """.split()
)
"""Words that may precede a command."""

DOCUMENT_TOKENS = frozenset(
    """
    docs doc help wiki blog news article articles guide guides manual faq faqs kb support tutorial tutorials
    reference learn questions how howto about policy terms documentation handbook examples example history hilfe
    aide ayuda ajuda aiuto pomoc readthedocs
    """.split()
)
"""Words in paths of documents."""

ACTION_KEYS = frozenset(
    "action act do op cmd command task mode method a m r route func function event step _action _method".split()
)
"""Names of query parameters whose value is a command."""

FRONT_ONLY = frozenset(
    """
    send resend publish post tweet invite notify release pay buy purchase order checkout donate subscribe tip bid
    withdraw deposit transfer ban lock disable reject discard block drop kill halt
    """.split()
)
"""English verbs that are nouns at the end of a label: "Sort order", "New post"."""

NUMBERED = frozenset("order post purchase transfer release checkout".split())
"""Nouns that name a record by its number: "Order 4711"."""

VIEWS = """
    filter, filters, search, selection, sorting, zoom, favorite, favorites, favourite, favourites, query box,
    formatting, focal area, filtre, filtres, recherche, sélection, filtro, filtros, búsqueda, busqueda, selección,
    pesquisa, busca, filtri, ricerca, selezione, zoekopdracht, favoriet, favorieten, suche, auswahl, favoriten,
    filtry, wyszukiwanie, ulubionych, фильтр, фильтры, поиск, фільтр, фільтри, пошук, filtreleri, arama, aramayı,
    hledání, sökning, sökningen, søgning, søk, haku, suodattimet, szűrő, szűrők, keresés, căutare, αναζήτηση,
    φίλτρα, φίλτρων, pencarian, tìm kiếm, bộ lọc, البحث, بحث, المرشحات, الفلاتر, عوامل التصفية, جستجو, फ़िल्टर,
    फिल्टर, खोज, חיפוש, מסננים, 検索, フィルター, フィルタ, 选择, 搜索, 筛选, 過濾, 过滤, 검색, 필터, ค้นหา, ตัวกรอง
    """
"""Views of data. Clearing a view loses no data."""

NOUN_SIGNS = ("済", "日", "者", "时间", "時間", "历史", "履歴", "設定", "设置", "방법", "일", "함", "됨")
"""Characters that turn the Chinese, Japanese or Korean verb before them into a noun."""

OBJECTS = frozenset(
    """
    account accounts user users profile item items file files page post comment message record row entry all
    selected me my it this konto compte cuenta conta mein mon mi permanently forever now everything data
    """.split()
)
"""Words that may follow a command in an element that is not a control by nature."""

ICONS = {
    Danger.LOGOUT: "sign out, signout, logout, log out, logoff, power off, exit to app",
    Danger.DELETE: "trash, delete, trashcan, garbage, bin, wastebasket, waste basket, remove user, user delete, user remove, person remove",
    Danger.SEND: "paper plane, send",
    Danger.SYSTEM: "power off, poweroff, shutdown, restart alt",
}
"""Names of icons on controls without words."""

GLYPHS = {"\N{WASTEBASKET}": Danger.DELETE, "\N{PUT LITTER IN ITS PLACE SYMBOL}": Danger.DELETE}
"""Characters that serve as icons of controls without words. A cross usually means "close", not "delete"."""
