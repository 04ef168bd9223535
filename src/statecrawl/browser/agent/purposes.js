// @ts-check
// Purposes of form fields, from words in their names and labels in the major languages, and values for each purpose as people write
// them where that language is spoken. The values are plausible, so that the page accepts them, and always the same.

/** @typedef {'email' | 'tel' | 'zip' | 'user' | 'first' | 'last' | 'name' | 'company' | 'city' | 'country' | 'street' | 'card' | 'year' | 'day' | 'age' | 'amount'} Purpose */

/** The first match applies: more specific words come first. @type {[RegExp, Purpose][]} */
const PURPOSES = [
  [/e-?mail|courriel|correo|メール|邮箱|郵箱|邮件|電郵/i, 'email'],
  [/phone|mobile|(?:^|[^a-z])tel|telef|handynummer|(?:^|[^a-z])handy(?:$|[^a-z])|t[ée]l[ée]phone|tel[ée]fono|m[óo]vil|celular|cellulare|telem[óo]vel|telefoon|kom[óo]rk|電話|电话|手机|手機|携帯/i, 'tel'], // not a hotel
  [/zip|postal|post-?_?code|postleitzahl|(?:^|[^a-z])(?:plz|cap)(?:$|[^a-z])|kod.?pocztowy|郵便番号|邮编|邮政编码|郵遞區號/i, 'zip'],
  [/user|login|account|benutzer|nutzername|utilisateur|identifiant|usuario|usu[áa]rio|utente|utilizador|gebruiker|u[żz]ytkownik|ユーザー|用户|用戶|账号|帳號/i, 'user'],
  [/first.?name|given|vorname|pr[ée]nom|primer.?nombre|voornaam|imi[ęe](?! i )|名字|(?:^|\s)名(?:$|\s)/i, 'first'],
  [/last.?name|family|surname|nachname|familienname|nom.de.famille|apellido|cognome|sobrenome|apelido|achternaam|nazwisko(?!.*imi)|姓(?!名)|苗字/i, 'last'],
  [/company|organi[sz]ation|employer|firma(?:$|[^a-z])|unternehmen|entreprise|soci[ée]t[ée]|empresa|azienda|societ[àa]|bedrijf|会社|公司/i, 'company'],
  [/name|(?:^|[^a-z])nom(?:$|[^a-z])|nombre|(?:^|[^a-z])nome(?:$|[^a-z])|(?:^|[^a-z])naam(?:$|[^a-z])|imi[ęe] i nazwisko|姓名|氏名|お名前/i, 'name'],
  [/(?<!pa)city|town|(?:^|[^a-z])(?:stadt|ort|wohnort|ville|stad|plaats|woonplaats)(?:$|[^a-z])|ciudad|citt[àa]|cidade|localidad|miasto|miejscowo|市区町村|城市|都市/i, 'city'],
  [/country|(?:^|[^a-z])(?:land|staat|pays|pa[ií]s|paese|kraj)(?:$|[^a-z])|国家|國家|(?:^|\s)国(?:$|\s)/i, 'country'],
  [/street|address|stra(?:ß|ss)e|adresse|anschrift|(?:^|[^a-z])(?:rue|rua|via|calle|morada|ulica|adres)(?:$|[^a-z])|direcci[óo]n|indirizzo|endere[çc]o|straat|住所|地址/i, 'street'],
  [/card.?n|cc-?number|kartennummer|num[ée]ro.de.(?:la.)?carte|n[úu]mero.de.(?:la.)?tarjeta|numero.carta|カード番号|卡号/i, 'card'],
  [/year|(?:^|[^a-z])(?:jahr|baujahr|ann[ée]e|a[ñn]o|anno|ano|jaar|rok)(?:$|[^a-z])|年份|年度/i, 'year'],
  [/birthday|(?:birth.?|^|[^a-z])date(?:$|[^a-z])|geburtsdatum|(?:^|[^a-z])(?:datum|fecha)(?:$|[^a-z])|生年月日|日期|日付/i, 'day'],
  [/(?:^|[^a-z])(?:age|alter|[âa]ge|edad|et[àa]|idade|leeftijd|wiek)(?:$|[^a-z])|年齢|年龄/i, 'age'],
  [/amount|price|quantity|number|count|(?:^|[^a-z])(?:anzahl|menge|betrag|preis|quantit[ée]|montant|prix|cantidad|importe|precio|quantit[àa]|prezzo|quantidade|pre[çc]o|aantal|prijs|ilo[śs][ćc]|cena)(?:$|[^a-z])|数量|金額|金额|价格/i, 'amount'], // not a message
];

/** What people write, by purpose; several spellings where pages differ in what they accept. @type {any} */
const USUAL = table({
  email: ['ann@example.com'], tel: ['+1 202 555 0147', '2025550147'], zip: ['10115', '100-0001', '1012 AB', '00-001'], user: ['ann'], first: ['Ann'], last: ['Lee'], name: ['Ann Lee'],
  company: ['Acme'], city: ['Berlin'], country: ['Germany'], street: ['1 Main Street'], card: ['4111111111111111'], year: ['2024'], day: ['2024-02-29', '02/29/2024', '29.02.2024', '29/02/2024'], age: ['30'], amount: ['7'],
});

/** The same where another language is spoken. @type {any} */
const LOCAL = table({
  de: table({ tel: ['+49 30 5550147', '0305550147'], country: ['Deutschland'], street: ['Hauptstraße 1'], day: ['29.02.2024', '2024-02-29'] }),
  fr: table({ tel: ['+33 1 99 00 01 47', '0199000147'], zip: ['75001'], city: ['Paris'], country: ['France'], street: ['1 rue de la Paix'], day: ['29/02/2024', '2024-02-29'] }),
  es: table({ tel: ['+34 910 555 014', '910555014'], zip: ['28001'], city: ['Madrid'], country: ['España'], street: ['Calle Mayor 1'], day: ['29/02/2024', '2024-02-29'] }),
  it: table({ tel: ['+39 06 5550147', '065550147'], zip: ['00184'], city: ['Roma'], country: ['Italia'], street: ['Via Roma 1'], day: ['29/02/2024', '2024-02-29'] }),
  pt: table({ tel: ['+351 210 555 014', '210555014'], zip: ['1000-001', '01000-000'], city: ['Lisboa'], country: ['Portugal'], street: ['Rua Augusta 1'], day: ['29/02/2024', '2024-02-29'] }),
  nl: table({ tel: ['+31 20 555 0147', '0205550147'], zip: ['1012 AB', '1012AB'], city: ['Amsterdam'], country: ['Nederland'], street: ['Dorpsstraat 1'], day: ['29-02-2024', '2024-02-29'] }),
  pl: table({ tel: ['+48 22 555 01 47', '225550147'], zip: ['00-001'], city: ['Warszawa'], country: ['Polska'], street: ['ul. Prosta 1'], day: ['29.02.2024', '2024-02-29'] }),
  ja: table({ tel: ['03-5550-0147', '0355500147'], zip: ['100-0001', '1000001'], first: ['花子', 'ハナコ'], last: ['山田', 'ヤマダ'], name: ['山田 花子', 'ヤマダ ハナコ'], city: ['東京'], country: ['日本'], street: ['千代田1-1'], day: ['2024/02/29', '2024-02-29'] }),
  zh: table({ tel: ['13800000147', '+86 10 5550 0147'], zip: ['100000'], first: ['芳'], last: ['王'], name: ['王芳'], city: ['北京'], country: ['中国'], street: ['长安街1号'] }),
});

/** The values for what words describe; null when no purpose is recognised. @param {string} words @param {string} language two letters, or "" @returns {string[] | null} */
const valuesForPurpose = (words, language) => {
  for (let i = 0; i < PURPOSES.length; i += 1) {
    if (native.exec(PURPOSES[i][0], words) === null) continue;
    const local = LOCAL[language];
    return (local && local[PURPOSES[i][1]]) || USUAL[PURPOSES[i][1]];
  }
  return null;
};

/** The language of an element, in two letters; "" if the page does not state it. @param {any} element */
const languageOf = (element) => {
  const speaking = dom.closest(element, '[lang]');
  return native.lower(native.slice((speaking && dom.attribute(speaking, 'lang')) || '', 0, 2));
};
