import type { Messages } from './text.ts';

/** German, addressing the reader with "Sie". */
export const de: Messages = whole({
  'product.name': 'Gatehouse',

  'page.title': '{page} · {product}',
  'page.titleRefused': 'Fehler: {page} · {product}',
  'page.skip': 'Zum Inhalt springen',
  'page.support': 'Hilfe',
  'page.footer': 'Weitere Links',
  'page.youAreAt': 'In der Adresszeile sollte {host} stehen',
  'field.optional': 'optional',
  'field.showPassword': 'Anzeigen',
  'field.hidePassword': 'Verbergen',
  'field.showPasswordLabel': 'Passwort anzeigen',
  'field.hidePasswordLabel': 'Passwort verbergen',
  'notice.error': 'Fehler',
  'notice.warning': 'Achtung',
  'notice.info': 'Hinweis',
  'notice.success': 'Erledigt',
  'nav.main': 'Hauptmenü',
  'nav.apps': 'Ihre Apps',
  'nav.signIn': 'Anmeldung',
  'nav.profile': 'Profil',
  'nav.admin': 'Verwaltung',
  'nav.signOut': 'Abmelden',

  'landing.title': 'Eine Tür zu Ihren Apps',
  'landing.lead':
    'Melden Sie sich bei {host} an und entscheiden Sie, was jede App sehen und tun darf.',
  'landing.signIn': 'Anmelden',
  'landing.account': 'Zu Ihrem Konto',
  'landing.factPassword': 'Ihr Passwort bleibt hier',
  'landing.factPasswordText':
    'Zum Anmelden schicken Apps Sie hierher. Ihr Passwort bekommen sie nie zu sehen.',
  'landing.factConsent': 'Sie entscheiden',
  'landing.factConsentText':
    'Bevor eine App etwas bekommt, lesen Sie in klaren Worten, worum sie bittet.',
  'landing.factRemove': 'Sie können es sich anders überlegen',
  'landing.factRemoveText': 'Entfernen Sie eine App aus Ihrem Konto, und ihr Zugriff endet sofort.',
  'landing.developers': 'Sie möchten eine App anbinden?',
  'landing.developersText':
    'Ihre OAuth- oder OpenID-Connect-Bibliothek findet alles Nötige unter {link}.',
  'landing.docs': 'Endpunkte und Fehler (englisch)',
  'landing.setupTitle': 'Noch nicht eingerichtet',
  'landing.setupText':
    'Fast geschafft. Öffnen Sie den Einmal-Link aus dem Terminal, in dem dieser Server gestartet wurde. „npm run cli -- setup-link“ erzeugt einen neuen.',

  'signIn.title': 'Anmelden',
  'signIn.toContinue': 'weiter zu {app}',
  'signIn.username': 'Benutzername oder E-Mail-Adresse',
  'signIn.password': 'Passwort',
  'signIn.submit': 'Anmelden',
  'signIn.cancel': 'Abbrechen und zurück zu {app}',
  'signIn.cancelPlain': 'Abbrechen',
  'signIn.wrong': 'Benutzername oder Passwort ist falsch.',
  'signIn.throttled': 'Zu viele Versuche. Versuchen Sie es in {wait} noch einmal.',
  'signIn.busy': 'Gerade ist viel los. Bitte versuchen Sie es gleich noch einmal.',
  'signIn.usernameMissing': 'Geben Sie Ihren Benutzernamen oder Ihre E-Mail-Adresse ein.',
  'signIn.passwordMissing': 'Geben Sie Ihr Passwort ein.',
  'signIn.again': 'Melden Sie sich noch einmal an, um fortzufahren.',
  'signIn.againFactor': '{app} verlangt die Zwei-Faktor-Anmeldung. Melden Sie sich noch einmal an.',
  'signIn.againOld':
    '{app} bittet Sie, sich noch einmal anzumelden: Ihre letzte Anmeldung ist eine Weile her.',
  'signIn.continueAs': 'Als {account} fortfahren',
  'signIn.orAnother': 'oder mit einem anderen Konto',
  'signIn.stay': 'Angemeldet bleiben',
  'signIn.stayHint':
    'Auf einem gemeinsam genutzten Gerät abwählen: Wenn Sie den Browser schließen, sind Sie dann abgemeldet.',

  'factor.title': 'Zwei-Faktor-Anmeldung',
  'factor.lead': 'Hallo {account}. Bestätigen Sie, dass Sie es sind.',
  'factor.code': 'Code aus Ihrer Authenticator-App',
  'factor.codeHint': 'Sechs Ziffern. Alle 30 Sekunden erscheint ein neuer Code.',
  'factor.submit': 'Weiter',
  'factor.recovery': 'Wiederherstellungscode verwenden',
  'factor.recoveryCode': 'Wiederherstellungscode',
  'factor.recoveryHint':
    'Einer der 16-stelligen Codes, die Sie gesichert haben. Jeder gilt einmal.',
  'factor.recoverySubmit': 'Diesen Code verwenden',
  'factor.recoveryLost': 'Nichts davon zur Hand? Wenden Sie sich an Ihren Administrator.',
  'factor.passkeyElsewhere':
    'Ihr Passkey gehört zu einer früheren Adresse dieses Servers und funktioniert an dieser nicht. Ihr Administrator kann Ihnen auch ohne ihn Zugang geben.',
  'factor.passkeyElsewhereApp':
    'Ihr Passkey gehört zu einer früheren Adresse dieses Servers und funktioniert an dieser nicht. Verwenden Sie Ihre Authenticator-App, und fügen Sie nach der Anmeldung einen neuen Passkey hinzu.',
  'factor.passkeyElsewhereCode':
    'Ihr Passkey gehört zu einer früheren Adresse dieses Servers und funktioniert an dieser nicht. Verwenden Sie einen Wiederherstellungscode, und fügen Sie nach der Anmeldung einen neuen Passkey hinzu.',
  'factor.startOver': 'Mit einem anderen Konto anmelden',
  'factor.wrong':
    'Dieser Code stimmt nicht oder wurde schon verwendet. Warten Sie auf den nächsten und versuchen Sie es noch einmal.',
  'factor.recoveryWrong': 'Dieser Code ist ungültig oder wurde schon verwendet.',
  'factor.throttled': 'Zu viele Versuche. Versuchen Sie es in {wait} noch einmal.',
  'factor.stopped':
    'Zu viele falsche Codes. Verwenden Sie stattdessen einen Wiederherstellungscode oder einen Passkey.',
  'factor.codeMissing': 'Geben Sie den Code ein.',
  'factor.expired': 'Das hat zu lange gedauert. Bitte melden Sie sich noch einmal an.',

  'passkey.signIn': 'Mit einem Passkey anmelden',
  'passkey.use': 'Passkey verwenden',
  'passkey.or': 'oder',
  'passkey.refused':
    'Dieser Passkey hat nicht funktioniert. Versuchen Sie es noch einmal oder melden Sie sich mit Ihrem Passwort an.',
  'passkey.notVerified':
    'Das hat nicht geklappt. Versuchen Sie es noch einmal oder wählen Sie einen anderen Weg.',
  'passkey.cancelled':
    'Nichts wurde bestätigt. Versuchen Sie es noch einmal, wenn Sie so weit sind.',
  'passkey.known': 'Dieses Gerät hat schon einen Passkey für Ihr Konto.',
  'passkey.needsScript':
    'Passkeys brauchen JavaScript, und das ist in diesem Browser ausgeschaltet.',
  'passkey.namePlain': 'Passkey',
  'passkey.nameKey': 'Sicherheitsschlüssel',

  'confirm.title': 'Bestätigen Sie, dass Sie es sind',
  'confirm.password': 'Ihr Passwort',
  'confirm.secondStep': 'Code aus Ihrer App oder ein Wiederherstellungscode',
  'confirm.submit': 'Bestätigen und weiter',
  'confirm.passkey': 'Mit einem Passkey bestätigen',
  'confirm.passkeyFailed':
    'Der Passkey wurde nicht verwendet. Versuchen Sie es noch einmal oder verwenden Sie Ihr Passwort.',
  'confirm.needed': 'Bestätigen Sie, dass Sie es sind. Noch ist nichts geändert.',
  'confirm.nothing': 'Geben Sie Ihr Passwort ein.',
  'confirm.wrong': 'Das ist nicht Ihr Passwort.',
  'confirm.code':
    'Dieser Code stimmt nicht oder wurde schon verwendet. Geben Sie Ihr Passwort und einen neuen Code ein.',
  'confirm.codeMissing': 'Geben Sie Ihr Passwort und einen Code ein.',
  'confirm.recoveryCode': 'Nur ein Wiederherstellungscode kann diesen Passkey ersetzen.',
  'confirm.otherPasskey':
    'Das ist ein anderer Passkey. Verwenden Sie den, den Sie entfernen, oder einen Wiederherstellungscode.',
  'confirm.passkeyWrong': 'Dieser Passkey gilt hier nicht.',
  'confirm.busy':
    'Gerade melden sich sehr viele an. Versuchen Sie es in ein paar Sekunden noch einmal.',
  'confirm.elsewhere':
    'Ihr Konto braucht erst einen anderen Schritt: Melden Sie sich noch einmal an.',
  'confirm.onSignInPage': 'Das geht nur auf der Anmeldeseite.',
  'confirm.signInAgain': 'Noch einmal anmelden',
  'confirm.done': 'Bestätigt. Sie können jetzt weitermachen.',

  'security.title': 'Anmeldung und Sicherheit',
  'security.lead': 'Was Sie außer Ihrem Passwort zum Anmelden brauchen.',
  'security.required':
    'Ihr Administrator verlangt die Zwei-Faktor-Anmeldung. Ihr letztes Verfahren dafür können Sie ersetzen, aber nicht entfernen.',
  'security.off': 'Richten Sie die Zwei-Faktor-Anmeldung ein',
  'security.offText':
    'Mit einem Passkey oder einer Authenticator-App reicht ein gestohlenes Passwort nicht, um in Ihr Konto zu kommen.',
  'security.on': 'ein',
  'security.notSetUp': 'aus',

  'security.app': 'Authenticator-App',
  'security.appText':
    'Eine App auf Ihrem Telefon zeigt alle 30 Sekunden einen neuen sechsstelligen Code.',
  'security.appSince': 'Eingerichtet am {date}',
  'security.appSetUp': 'App einrichten',
  'security.appReplace': 'Andere App einrichten',
  'security.appRemove': 'Entfernen',
  'security.appRemoveLabel': 'Authenticator-App entfernen',
  'security.appRemoveText': 'Codes aus der App gelten dann nicht mehr.',
  'security.appRemoveConfirm': 'Ja, entfernen',
  'security.lastText':
    'Damit endet die Zwei-Faktor-Anmeldung. Danach genügt zum Anmelden Ihr Passwort.',

  'security.passkeys': 'Passkeys',
  'security.passkeysText':
    'Anmelden mit Fingerabdruck, Gesicht oder Geräte-PIN. Ein Passkey ersetzt Ihr Passwort oder dient der Zwei-Faktor-Anmeldung.',
  'security.passkeysNone': 'Keine Passkeys',
  'security.passkeyAdd': 'Passkey hinzufügen',
  'security.passkeySince': 'hinzugefügt am {date}',
  'security.passkeyUsed': 'zuletzt verwendet am {date}',
  'security.passkeyUnused': 'noch nicht verwendet',
  'security.passkeySynced': 'auf mehreren Geräten',
  'security.passkeyBound': 'auf einem Gerät',
  'security.passkeyRename': 'Umbenennen',
  'security.passkeyRenameLabel': '{name} umbenennen',
  'security.passkeyName': 'Name',
  'security.passkeyNameSave': 'Speichern',
  'security.passkeyNameBad': 'Verwenden Sie 1 bis 60 Zeichen ohne Steuerzeichen.',
  'security.passkeyRemove': 'Entfernen',
  'security.passkeyRemoveLabel': '{name} entfernen',
  'security.passkeyRemoveText':
    'Mit {name} können Sie sich dann nicht mehr anmelden. Löschen Sie ihn auch auf Ihrem Gerät.',
  'security.passkeyRemoveConfirm': 'Ja, entfernen',
  'security.passkeyElsewhere':
    'Funktioniert nur bei {host}, einer früheren Adresse dieses Servers. Entfernen Sie ihn, und fügen Sie einen neuen hinzu.',
  'security.passkeysImpossible':
    'Passkeys brauchen einen Hostnamen, aber dieser Server wird über seine IP-Adresse aufgerufen.',

  'security.codes': 'Wiederherstellungscodes',
  'security.codesText':
    'Für den Fall, dass Sie Telefon oder Passkey verlieren. Bewahren Sie sie sicher auf.',
  'security.codesLeft': 'noch {count} von {total}',
  'security.codesNone': 'keine mehr',
  'security.codesWhen': 'Sie bekommen sie, wenn Sie die Zwei-Faktor-Anmeldung einrichten.',
  'security.codesNew': 'Neue Codes erstellen',
  'security.codesNewText': 'Ihre bisherigen Codes gelten dann nicht mehr.',
  'security.codesNewConfirm': 'Ja, neue erstellen',

  'security.doneApp': 'Authenticator-App eingerichtet.',
  'security.doneAppRemoved': 'Authenticator-App entfernt.',
  'security.donePasskey': 'Passkey hinzugefügt.',
  'security.donePasskeyRemoved': 'Passkey entfernt.',
  'security.doneRenamed': 'Passkey umbenannt.',
  'security.doneCodes': 'Ihre neuen Wiederherstellungscodes gelten jetzt.',
  'security.passkeyNotAdded':
    'Dieser Passkey ließ sich nicht hinzufügen. Bitte versuchen Sie es noch einmal.',

  'totp.title': 'Authenticator-App einrichten',
  'totp.scan': 'Scannen Sie diesen QR-Code mit einer Authenticator-App auf Ihrem Telefon.',
  'totp.scanAlt': 'QR-Code mit dem Schlüssel, der darunter steht',
  'totp.open': 'In einer App auf diesem Gerät öffnen',
  'totp.type': 'Oder geben Sie diesen Schlüssel manuell ein',
  'totp.code': 'Geben Sie dann den Code ein, den sie zeigt',
  'totp.submit': 'Aktivieren',
  'totp.wrong':
    'Dieser Code stimmt nicht. Prüfen Sie, ob die Uhr Ihres Telefons richtig geht, und geben Sie den neuesten Code ein.',
  'totp.late': 'Das hat zu lange gedauert. Hier ist ein neuer QR-Code.',
  'totp.cancel': 'Abbrechen',

  'enrol.title': 'Machen Sie Ihr Konto sicherer',
  'enrol.lead':
    'Ihr Administrator verlangt die Zwei-Faktor-Anmeldung. Sie richten sie einmal ein; das dauert etwa eine Minute.',
  'enrol.leadApp':
    '{app} verlangt die Zwei-Faktor-Anmeldung. Sie richten sie einmal ein; das dauert etwa eine Minute.',
  'enrol.passkey': 'Mit einem Passkey',
  'enrol.passkeyText': 'Am schnellsten: mit Fingerabdruck, Gesicht oder Geräte-PIN.',
  'enrol.passkeyAdd': 'Passkey erstellen',
  'enrol.app': 'Mit einer Authenticator-App',

  'codes.title': 'Sichern Sie Ihre Wiederherstellungscodes',
  'codes.text':
    'Jeder Code meldet Sie einmal an, wenn Sie Telefon oder Passkey verlieren. Sie werden nicht noch einmal angezeigt.',
  'codes.list': 'Ihre Wiederherstellungscodes',
  'codes.download': 'Als Text herunterladen',
  'codes.warning':
    'Drucken Sie sie aus oder legen Sie sie in einen Passwortmanager, nicht nur auf das Telefon, das sie ersetzen.',
  'codes.done': 'Ich habe sie gesichert',
  'codes.fileTitle': '{product}: Wiederherstellungscodes für {account} bei {host}',
  'codes.fileText': 'Jeder Code gilt einmal. Neue Codes machen diese ungültig.',

  'consent.title': 'Darf {app} auf Ihr Konto zugreifen?',
  'consent.account': 'Angemeldet als',
  'consent.switch': 'Nicht Sie?',
  'consent.switchLabel': 'Nicht Sie? Anderes Konto verwenden',
  'consent.sharedText': 'Ihren Benutzernamen und Ihre E-Mail-Adresse sehen',
  'consent.sharedValues': '{username} und {email}',
  'api.use': '{api} in Ihrem Namen benutzen',
  'api.more': 'In {api}',
  'consent.scopes': '{app} darf',
  'consent.scopesNew': 'Neu: {app} darf außerdem',
  'consent.also': 'Außerdem: {fields}',
  'consent.scopesIts': 'Die App darf',
  'consent.scopesItsNew': 'Neu: Die App darf außerdem',
  'consent.scopesBefore': 'Was Sie schon erlaubt haben',
  'consent.sensitive': 'weitreichend',
  'consent.returns': 'Danach geht es zurück zu',
  'consent.returnsDevice': 'Danach geht es zurück zu einer App auf diesem Gerät',
  'consent.strangerBadge': 'nicht geprüft',
  'consent.strangerDocument':
    'Kein Administrator hat diese App hinzugefügt. Was sie von sich sagt, wurde bei {host} gelesen; von dort kommt sie.',
  'consent.strangerRegistered':
    'Kein Administrator hat diese App hinzugefügt, und wir können nicht prüfen, wer sie betreibt.',
  'consent.strangerName': 'Sie sagt, sie heiße „{name}“. Das hat niemand geprüft.',
  'consent.strangerNameless':
    'Der Name, den sie sich gibt, ist mit einem anderen zu verwechseln und wird nicht gezeigt.',
  'consent.strangerDevice': 'eine App auf diesem Gerät',
  'consent.strangerDeviceTitle': 'Nur weiter, wenn Sie sie gerade selbst gestartet haben',
  'consent.strangerDeviceText':
    'Es geht zurück zu einem Programm auf diesem Computer. Jedes Programm hier könnte so fragen, welchen Namen und welchen Host es auch nennt. Wenn Sie es nicht gerade gestartet haben, wählen Sie „Ablehnen“.',
  'consent.period': 'Wie lange?',
  'consent.periodUntilRemoved': 'Bis ich sie entferne',
  'consent.periodMonth': 'Für 30 Tage',
  'consent.periodOnce': 'Nur dieses eine Mal',
  'consent.periodOnceHint': 'Der Zugriff endet nach {time}, danach muss sie wieder fragen.',
  'consent.unregisteredTitle': 'Diese Adresse ist für die App nicht registriert',
  'consent.unregisteredText':
    'Jeder könnte sie in den Link gesetzt haben, dem Sie gefolgt sind. Erlauben Sie es nur, wenn Sie {host} kennen und selbst dort begonnen haben.',
  'consent.insecureTitle': 'Diese Adresse ist nicht verschlüsselt',
  'consent.insecureText':
    'Sie verwendet einfaches http. Jeder im selben Netzwerk könnte mitlesen und über diese App Ihr Konto nutzen.',
  'consent.deviceTitle': 'Haben Sie das in der App begonnen?',
  'consent.deviceText':
    'Wir können nicht prüfen, welche App auf diesem Gerät fragt. Wenn Sie die Anmeldung nicht selbst begonnen haben, wählen Sie „Ablehnen“.',
  'consent.changed':
    'Während diese Seite offen war, hat sich etwas geändert. Bitte prüfen Sie sie noch einmal.',
  'consent.allow': 'Erlauben',
  'consent.deny': 'Ablehnen',
  'consent.undo': 'Sie können den Zugriff jederzeit in Ihrem Konto entfernen.',
  'consent.home': 'Startseite',
  'consent.privacy': 'Datenschutz',
  'consent.terms': 'Nutzungsbedingungen',
  'consent.about': 'Über diese App',

  'device.title': 'Gerät verbinden',
  'device.text':
    'Geben Sie den Code ein, den Ihr Fernseher, Ihre Konsole oder Ihr Programm anzeigt.',
  'device.code': 'Code vom Gerät',
  'device.codeHint': 'Acht Buchstaben, zum Beispiel WDJB-MJHT',
  'device.submit': 'Weiter',
  'device.missing': 'Geben Sie den Code ein, den das Gerät anzeigt.',
  'device.malformed':
    'Das ist kein Code von einem Gerät. Er hat acht Buchstaben, keine Ziffern und keine Vokale.',
  'device.unknown':
    'Kein Gerät wartet mit diesem Code. Prüfen Sie jeden Buchstaben. Codes gelten zehn Minuten und nur einmal: Ist Ihrer älter, beginnen Sie am Gerät noch einmal.',
  'device.throttled': 'Zu viele falsche Codes. Versuchen Sie es in {wait} noch einmal.',
  'device.confirmTitle': '{app} auf einem anderen Gerät mit Ihrem Konto nutzen?',
  'device.compare': 'Zeigt Ihr Gerät genau diesen Code?',
  'device.askedAgo': 'Das Gerät hat {ago} angefragt.',
  'device.askedFrom': 'Das Gerät hat {ago} von {address} aus angefragt.',
  'device.justNow': 'gerade eben',
  'device.warnTitle': 'Vergewissern Sie sich, dass Sie das selbst begonnen haben',
  'device.warnText':
    'Wenn Ihnen jemand diesen Code oder Link geschickt hat, wählen Sie Ablehnen: Sonst kommt das fremde Gerät in Ihr Konto.',
  'device.allowedTitle': 'Das Gerät ist verbunden',
  'device.allowedText':
    'Gehen Sie zurück zu Ihrem Gerät: Dort geht es in wenigen Sekunden von selbst weiter. Sie können diese Seite schließen.',
  'device.deniedTitle': 'Das Gerät wurde abgelehnt',
  'device.deniedText': 'Es bekommt keinen Zugriff auf Ihr Konto. Sie können diese Seite schließen.',
  'device.overTitle': 'Dieser Code gilt nicht mehr',
  'device.overText':
    'Er ist abgelaufen oder wurde schon beantwortet. Um ein Gerät zu verbinden, beginnen Sie dort noch einmal und geben Sie den neuen Code ein.',
  'device.another': 'Anderen Code eingeben',
  'device.account': 'Zu Ihrem Konto',

  'scope.openid': 'Sie mit diesem Konto anmelden',
  'scope.profile': 'Ihr Profil sehen, zum Beispiel Name, Bild und Sprache',
  'scope.email': 'Sehen, ob Ihre E-Mail-Adresse bestätigt ist',
  'scope.address': 'Ihre Postanschrift sehen',
  'scope.phone': 'Ihre Telefonnummer sehen',
  'scope.groups': 'Sehen, in welchen Gruppen Sie sind',
  'scope.offline_access': 'Zugriff behalten, auch wenn Sie die App nicht nutzen',

  'setup.title': '{product} einrichten',
  'setup.lead':
    'Legen Sie das Administratorkonto an. Es verwaltet Apps, Personen und Einstellungen. Dieser Link gilt einmal.',
  'setup.username': 'Benutzername',
  'setup.email': 'E-Mail-Adresse',
  'setup.name': 'Ihr Name',
  'setup.password': 'Passwort',
  'setup.passwordHint': 'Mindestens {length} Zeichen. Am besten ein paar Wörter ohne Zusammenhang.',
  'setup.submit': 'Konto anlegen',
  'setup.usernameBad':
    'Erlaubt sind bis zu 64 Buchstaben, Ziffern, Punkte, Binde- und Unterstriche aus einem Alphabet. Der Name darf nicht wie eine Adresse oder ein Link aussehen.',
  'setup.nameBad': 'Verwenden Sie höchstens 200 Zeichen ohne Steuerzeichen.',
  'setup.usernameTaken': 'Dieser Benutzername ist vergeben.',
  'setup.usernameAlike':
    'Dieser Benutzername sieht einem vergebenen zu ähnlich. Wählen Sie einen anderen.',
  'setup.emailBad': 'Geben Sie eine E-Mail-Adresse ein, zum Beispiel ada@example.org.',
  'setup.emailTaken': 'Diese E-Mail-Adresse wird schon verwendet.',
  'setup.passwordShort': 'Verwenden Sie mindestens {min} Zeichen.',
  'setup.passwordLong': 'Verwenden Sie höchstens {max} Zeichen.',
  'password.weak':
    'Dieses Passwort ist leicht zu erraten. Verwenden Sie einige Wörter ohne Zusammenhang, ohne Ihren Namen und ohne Jahreszahl.',
  'password.own':
    'Nehmen Sie nicht Ihren Benutzernamen oder Ihre E-Mail-Adresse. Wählen Sie etwas, das andere nicht erraten.',
  'setup.deadTitle': 'Dieser Link gilt nicht mehr',
  'setup.deadText':
    'Dieser Server ist schon eingerichtet, oder der Link ist älter als ein Tag oder unvollständig. Wenn Sie ihn betreiben und noch nicht eingerichtet haben, starten Sie ihn neu, um einen gültigen Link zu sehen.',

  'home.title': 'Ihr Konto',
  'home.hello': 'Hallo, {name}',
  'home.apps': 'Apps mit Zugriff',
  'home.appsNone': 'Noch keine Apps',
  'home.appsNoneText': 'Apps, denen Sie Zugriff auf Ihr Konto erlauben, erscheinen hier.',
  'home.approved': 'Erlaubt am {date}',
  'home.lastUsed': 'zuletzt genutzt {date}',
  'home.neverUsed': 'noch nicht genutzt',
  'home.shared': 'Ihren Benutzernamen und Ihre E-Mail-Adresse sehen',
  'home.remove': 'Zugriff entfernen',
  'home.removeLabel': 'Zugriff entfernen: {app}',
  'home.removeText':
    '{app} verliert sofort den Zugriff auf Ihr Konto. Sie können ihn später wieder erlauben.',
  'home.removeConfirm': 'Ja, Zugriff entfernen',
  'home.removeScope': 'Entfernen',
  'home.removeScopeLabel': 'Entfernen bei {app}: {scope}',
  'home.scopeRemoved': 'Berechtigung entfernt. Die App muss Sie erst wieder fragen.',
  'home.removed': 'Die App hat keinen Zugriff mehr auf Ihr Konto.',
  'home.appsAccess': 'Ansehen, was jede App darf',
  'home.startNone': 'Noch keine Apps zum Öffnen',
  'home.startNoneText': 'Hier erscheinen Apps, die Sie nutzen und von hier aus öffnen können.',
  'home.search': 'Ihre Apps durchsuchen',
  'home.searchSubmit': 'Suchen',
  'home.searchAll': 'Alle zeigen',
  'home.searchNone': 'Keine App gefunden',
  'home.searchNoneText': 'Versuchen Sie es mit einem Teil des Namens.',
  'home.more': 'Es gibt noch mehr. Suchen Sie die App, die Sie brauchen.',
  'home.tileUsed': 'Zuletzt genutzt {date}',
  'home.tileUnused': 'Noch nie genutzt',
  'home.tileAllowed': 'Gerade erlaubt',
  'home.otherApps': 'Weitere Apps, die Sie nutzen können',
  'home.password': 'Passwort ändern',
  'home.passwordText': 'Hier bleiben Sie angemeldet, überall sonst werden Sie abgemeldet.',
  'home.newPassword': 'Neues Passwort',
  'home.endAppTokens': 'Auch alle Apps abmelden',
  'home.endAppTokensHint': 'Sie müssen sich dann in jeder App neu anmelden.',
  'home.passwordSubmit': 'Passwort ändern',
  'home.passwordDone': 'Passwort geändert. Ihre anderen Geräte wurden abgemeldet.',
  'home.passwordSame': 'Wählen Sie ein anderes Passwort als das aktuelle.',

  'apps.title': 'Verbundene Apps',
  'apps.developer': 'Apps, die Sie entwickeln',
  'apps.lead': 'Apps, die Ihr Konto nutzen können, und was sie dürfen.',
  'apps.details': 'Verwalten',
  'apps.detailsLabel': '{app} verwalten',
  'apps.until': 'bis {date}',
  'apps.placesNone': 'keine aktive Anmeldung',
  'apps.places': 'one: eine aktive Anmeldung | other: {count} aktive Anmeldungen',
  'apps.may': 'Was die App darf',
  'apps.mayText':
    'Wenn Sie eine Berechtigung entfernen, wird die App dort abgemeldet, wo sie sie genutzt hat. Sie kann Sie wieder fragen.',
  'apps.sees': 'Was die App über Sie sieht',
  'apps.seesText': 'Genau das sieht die App zurzeit. Mehr aus Ihrem Konto bekommt sie nicht.',
  'apps.end': 'App entfernen',
  'apps.endText': 'Sie verliert sofort den Zugriff, wo immer sie angemeldet ist.',

  'claim.yes': 'Ja',
  'claim.no': 'Nein',
  'claim.sub': 'Konto-ID',
  'claim.username': 'Benutzername',
  'claim.email': 'E-Mail-Adresse',
  'claim.email_verified': 'E-Mail-Adresse bestätigt',
  'claim.name': 'Vollständiger Name',
  'claim.given_name': 'Vorname',
  'claim.middle_name': 'Zweiter Vorname',
  'claim.family_name': 'Nachname',
  'claim.nickname': 'Spitzname',
  'claim.preferred_username': 'Bevorzugter Benutzername',
  'claim.profile': 'Profilseite',
  'claim.picture': 'Bild',
  'claim.website': 'Website',
  'claim.gender': 'Geschlecht',
  'claim.birthdate': 'Geburtstag',
  'claim.zoneinfo': 'Zeitzone',
  'claim.locale': 'Sprache',
  'claim.phone_number': 'Telefonnummer',
  'claim.phone_number_verified': 'Telefonnummer bestätigt',
  'claim.address': 'Postanschrift',
  'claim.groups': 'Gruppen',
  'claim.updated_at': 'Konto zuletzt aktualisiert',

  'sessions.title': 'Wo Sie angemeldet sind',
  'sessions.lead': 'Sie erkennen ein Gerät nicht? Melden Sie es ab und ändern Sie Ihr Passwort.',
  'sessions.list': 'Geräte',
  'sessions.device': '{browser} auf {system}',
  'sessions.unknown': 'Unbekannter Browser',
  'sessions.current': 'dieses Gerät',
  'sessions.since': 'angemeldet am {date}',
  'sessions.seen': 'zuletzt aktiv {date}',
  'sessions.active': 'jetzt aktiv',
  'sessions.justNow': 'kürzlich aktiv',
  'sessions.brief': 'ohne angemeldet zu bleiben',
  'sessions.thisNetwork': 'dieses Netzwerk ({address})',
  'sessions.network': 'IP-Adresse {address}',
  'sessions.noNetwork': 'unbekanntes Netzwerk',
  'sessions.end': 'Abmelden',
  'sessions.endLabel': '{device} abmelden',
  'sessions.ended': 'Gerät abgemeldet.',
  'sessions.endOthers': 'Überall sonst abmelden',
  'sessions.endOthersText':
    'Hier bleiben Sie angemeldet. Apps behalten den Zugriff, den Sie ihnen gegeben haben.',
  'sessions.endOthersConfirm': 'Ja, überall sonst abmelden',
  'sessions.othersEnded': 'Alle anderen Geräte sind abgemeldet.',

  'ways.lead': 'Wie Sie sich anmelden und wo Sie angemeldet sind.',
  'ways.change': 'Ändern',
  'ways.confirm': 'Bestätigen',
  'ways.unverified': 'nicht bestätigt',
  'ways.passwordText': 'Verwenden Sie ein Passwort, das Sie nirgendwo sonst nutzen.',
  'ways.passkeys': 'one: ein Passkey | other: {count} Passkeys',
  'ways.passkeysNone': 'Keine Passkeys',
  'ways.secondStep': 'Zwei-Faktor-Anmeldung',
  'ways.secondStepNone': 'Aus',
  'ways.devices': 'Geräte',
  'ways.devicesCount': 'one: auf einem Gerät angemeldet | other: auf {count} Geräten angemeldet',

  'profile.more': 'Weitere Angaben',
  'profile.title': 'Profil',
  'profile.lead':
    'Was Apps über Sie sehen können, wenn Sie es erlauben. Alle Felder sind optional.',
  'profile.about': 'Über Sie',
  'profile.aboutText': 'Für Apps, die Ihr Profil oder Ihre Telefonnummer sehen dürfen.',
  'profile.name': 'Vollständiger Name',
  'profile.given_name': 'Vorname',
  'profile.middle_name': 'Weitere Vornamen',
  'profile.family_name': 'Nachname',
  'profile.nickname': 'Spitzname',
  'profile.gender': 'Geschlecht',
  'profile.profile': 'Profilseite',
  'profile.website': 'Website',
  'profile.birthdate': 'Geburtstag',
  'profile.birthdateHint': 'Jahr, Monat und Tag, zum Beispiel 1990-12-31, oder nur das Jahr.',
  'profile.linkHint': 'Beginnt mit https://',
  'profile.zoneinfo': 'Zeitzone',
  'profile.zoneinfoNone': 'Keine Angabe',
  'profile.phone_number': 'Telefonnummer',
  'profile.locale': 'Sprache',
  'profile.localeBrowser': 'Wie im Browser',
  'profile.address': 'Postanschrift',
  'profile.addressText': 'Für Apps, die Ihre Postanschrift sehen dürfen.',
  'profile.street_address': 'Straße und Hausnummer',
  'profile.postal_code': 'Postleitzahl',
  'profile.locality': 'Ort',
  'profile.region': 'Bundesland oder Region',
  'profile.country': 'Land',
  'profile.own': 'Mehr über Sie',
  'profile.ownText':
    'Danach fragt, wer diesen Server betreibt. Für Apps, die um diese Angaben bitten.',
  'profile.kept': 'Über Sie hinterlegt',
  'profile.keptText': 'Das kann nur ein Admin ändern. Für Apps, die um diese Angaben bitten.',
  'profile.listHint': 'Ein Eintrag pro Zeile.',
  'profile.notSet': 'Keine Angabe',
  'profile.yes': 'Ja',
  'profile.no': 'Nein',
  'profile.groups': 'Ihre Gruppen',
  'profile.groupsText':
    'Ihr Administrator legt sie fest. Apps, die nach Ihren Gruppen fragen, erfahren deren Namen.',
  'profile.groupsMore': 'one: und eine weitere | other: und {count} weitere',
  'profile.submit': 'Speichern',
  'profile.done': 'Profil gespeichert.',
  'profile.bad': 'Prüfen Sie dieses Feld.',
  'profile.badBirthdate': 'Geben Sie ein Datum wie 1990-12-31 oder nur ein Jahr ein.',
  'profile.badLink': 'Geben Sie eine Adresse ein, die mit https:// oder http:// beginnt.',
  'profile.badNumber': 'Geben Sie eine Zahl wie 3 oder 2.5 ein.',
  'profile.badList': 'Höchstens 50 Einträge mit je 200 Zeichen, zusammen 2.000.',
  'profile.refused': 'Nichts wurde gespeichert. Prüfen Sie die markierten Felder.',

  'picture.title': 'Bild',
  'picture.text': 'Sichtbar hier und für Apps, die Ihr Profil sehen dürfen.',
  'picture.file': 'Bild auswählen',
  'picture.hint':
    'PNG, JPEG, WebP oder GIF, bis 2 MB. Wir schneiden es quadratisch zu und entfernen Ortsangaben.',
  'picture.submit': 'Hochladen',
  'picture.remove': 'Bild entfernen',
  'picture.done': 'Bild gespeichert.',
  'picture.removed': 'Bild entfernt.',
  'picture.missing': 'Wählen Sie zuerst eine Datei aus.',
  'picture.heavy': 'Diese Datei ist größer als 2 MB. Wählen Sie eine kleinere.',
  'picture.kind': 'Verwenden Sie PNG, JPEG, WebP oder GIF.',
  'picture.pixels':
    'Dieses Bild hat zu viele Pixel. Verkleinern Sie es und versuchen Sie es noch einmal.',
  'picture.broken': 'Dieses Bild ist beschädigt. Wählen Sie ein anderes.',
  'picture.busy':
    'Gerade werden zu viele Bilder hochgeladen. Versuchen Sie es in ein paar Minuten noch einmal.',

  'username.title': 'Benutzername',
  'username.text':
    'Damit melden Sie sich an. Ihre Apps können ihn sehen. Wenn Sie ihn ändern, erkennen manche Apps Sie nicht wieder. Ihren alten Namen bekommt ein Jahr lang niemand sonst.',
  'username.unfit':
    'Ihr Benutzername verstößt gegen die Regeln dieses Servers: Er sieht aus wie eine Adresse oder ein Link. Wählen Sie einen anderen.',
  'username.label': 'Benutzername',
  'username.submit': 'Benutzernamen ändern',
  'username.done': 'Benutzername geändert. Melden Sie sich ab jetzt damit an.',
  'username.off': 'Nur ein Administrator kann Ihren Benutzernamen ändern.',
  'username.same': 'Das ist schon Ihr Benutzername.',
  'username.throttled': 'Zu viele Versuche. Versuchen Sie es in ein paar Minuten noch einmal.',
  'username.meanwhile':
    'Ihr Benutzername wurde anderswo geändert. Prüfen Sie ihn und versuchen Sie es noch einmal.',

  'signOut.title': 'Abmelden?',
  'signOut.text': 'Sie sind als {account} angemeldet.',
  'signOut.fromApp': '{app} möchte Sie abmelden.',
  'signOut.appsStay': 'Apps, denen Sie Zugriff erlaubt haben, behalten ihn, bis Sie ihn entfernen.',
  'signOut.submit': 'Abmelden',
  'signOut.cancel': 'Angemeldet bleiben',
  'signOut.refusedTitle': 'Sie sind noch angemeldet',
  'signOut.refusedText':
    'Die App hat Ihre Abmeldung falsch angefordert. Sie können sich in Ihrem Konto abmelden.',
  'signOut.unfollowedTitle': 'Diese Abmeldung hat nicht geklappt',
  'signOut.unfollowedText':
    'Sie sind hier nicht angemeldet, es gibt also nichts abzumelden. Gehen Sie zurück zur App, um fortzufahren.',
  'signedOut.title': 'Sie sind abgemeldet',
  'signedOut.text': 'Schließen Sie an einem gemeinsam genutzten Computer auch das Browserfenster.',
  'signedOut.signIn': 'Wieder anmelden',
  'signedOut.back': 'Zurück zu {app}',

  'newPassword.title': 'Wählen Sie ein eigenes Passwort',
  'newPassword.text':
    'Das Passwort für {username} haben Sie von jemand anderem. Wählen Sie eines, das nur Sie kennen, dann geht es weiter.',
  'newPassword.submit': 'Speichern und weiter',

  'recover.link': 'Passwort vergessen?',
  'recover.title': 'Passwort vergessen?',
  'recover.text':
    'Geben Sie Ihren Benutzernamen oder Ihre E-Mail-Adresse ein. Wenn es ein Konto gibt, schicken wir Ihnen einen Link zum Zurücksetzen.',
  'recover.submit': 'Link senden',
  'recover.back': 'Zurück zur Anmeldung',
  'recover.throttled': 'Zu viele Anfragen. Versuchen Sie es in {wait} noch einmal.',
  'recover.sentTitle': 'Prüfen Sie Ihr Postfach',
  'recover.sentText':
    'Wenn es ein Konto für {login} gibt, haben wir einen Link für ein neues Passwort geschickt. Er gilt {time}. Nichts angekommen? Sehen Sie im Spam-Ordner nach oder versuchen Sie es mit einer anderen Adresse.',
  'recover.sentTextPlain':
    'Wenn es ein Konto gibt, haben wir einen Link für ein neues Passwort geschickt. Er gilt {time}. Nichts angekommen? Sehen Sie im Spam-Ordner nach oder versuchen Sie es mit einer anderen Adresse.',
  'recover.offTitle': 'Zurücksetzen ist nicht möglich',
  'recover.offText':
    'Dieser Server kann keine E-Mails verschicken. Wenden Sie sich an Ihren Administrator.',
  'reset.title': 'Neues Passwort wählen',
  'reset.text': 'Für {username}. Sie werden überall abgemeldet, auch in verbundenen Apps.',
  'reset.password': 'Neues Passwort',
  'reset.submit': 'Passwort ändern',
  'reset.deadTitle': 'Dieser Link gilt nicht mehr',
  'reset.deadText':
    'Er wurde schon verwendet, ist älter als {time}, oder Ihr Konto hat sich seitdem geändert. Sie können einen neuen anfordern.',
  'reset.again': 'Neuen Link anfordern',

  'register.link': 'Konto anlegen',
  'register.or': 'Neu hier?',
  'register.title': 'Konto anlegen',
  'register.toContinue': 'weiter zu {app}',
  'register.text':
    'Geben Sie Ihre E-Mail-Adresse ein. Wir schicken Ihnen einen Link, mit dem es weitergeht.',
  'register.email': 'E-Mail-Adresse',
  'register.submit': 'Link senden',
  'register.have': 'Sie haben schon ein Konto?',
  'register.signIn': 'Anmelden',
  'register.domain':
    'Hier können sich nur Adressen bestimmter Organisationen registrieren. Verwenden Sie Ihre Adresse von Arbeit oder Schule.',
  'register.sentTitle': 'Prüfen Sie Ihr Postfach',
  'register.sentText':
    'Wir haben einen Link an {email} geschickt. Öffnen Sie ihn in diesem Browser. Nichts angekommen? Sehen Sie im Spam-Ordner nach oder prüfen Sie die Adresse.',
  'register.sentTextPlain':
    'Wir haben Ihnen einen Link geschickt. Öffnen Sie ihn in diesem Browser. Nichts angekommen? Sehen Sie im Spam-Ordner nach oder prüfen Sie die Adresse.',
  'register.offTitle': 'Die Registrierung ist geschlossen',
  'register.offText': 'Wenn Sie ein Konto brauchen, wenden Sie sich an Ihren Administrator.',
  'register.invitedTitle': 'Sie brauchen eine Einladung',
  'register.invitedText':
    'Wenden Sie sich an Ihren Administrator. Mit dem Link in der Einladung legen Sie Ihr Konto an.',
  'finish.title': 'Legen Sie Ihr Konto an',
  'finish.text': 'Sie haben {email} bestätigt.',
  'finish.username': 'Benutzername',
  'finish.usernameHint': 'Sie können sich damit oder mit Ihrer E-Mail-Adresse anmelden.',
  'finish.submit': 'Konto anlegen',
  'finish.deadTitle': 'Dieser Link gilt nicht mehr',
  'finish.deadText':
    'Er ist abgelaufen, wurde zurückgezogen oder schon verwendet. Wenn Sie schon ein Konto haben, melden Sie sich an.',
  'finish.signIn': 'Anmelden',

  'emailChange.title': 'E-Mail',
  'emailChange.lead': 'Ihre E-Mail-Adresse und Benachrichtigungen.',
  'emailChange.card': 'E-Mail-Adresse',
  'emailChange.cardText':
    'Damit melden Sie sich an und stellen Ihr Konto wieder her. Aktuelle Adresse: {email}.',
  'emailChange.new': 'Neue E-Mail-Adresse',
  'emailChange.submit': 'Link an die neue Adresse senden',
  'emailChange.sent':
    'Wir haben einen Link an {email} geschickt. Öffnen Sie ihn, um Ihre neue Adresse zu bestätigen.',
  'emailChange.same': 'Das ist schon Ihre Adresse.',
  'emailChange.off':
    'Dieser Server kann keine E-Mails verschicken, deshalb lässt sich eine neue Adresse nicht bestätigen. Wenden Sie sich an Ihren Administrator.',
  'emailConfirm.title': 'Diese E-Mail-Adresse verwenden?',
  'emailConfirm.text':
    'Sie sind als {username} angemeldet. Die E-Mail-Adresse dieses Kontos wird in {email} geändert. Wer dort E-Mails lesen kann, kann das Passwort des Kontos zurücksetzen, und Apps erfahren, dass die Adresse Ihnen gehört.',
  'emailConfirm.submit': 'Diese Adresse verwenden',
  'emailConfirm.cancel': 'Bisherige Adresse behalten',
  'emailConfirm.doneTitle': 'E-Mail-Adresse geändert',
  'emailConfirm.doneText':
    'Ab jetzt schreiben wir an die neue Adresse. Die alte haben wir darüber informiert.',
  'emailConfirm.deadTitle': 'Dieser Link gilt nicht mehr',
  'emailConfirm.deadText':
    'Er wurde schon verwendet, ist älter als einen Tag, oder Ihr Konto hat sich seitdem geändert.',
  'emailConfirm.otherTitle': 'Dieser Link gehört zu einem anderen Konto',
  'emailConfirm.otherText':
    'Sie sind als {account} angemeldet, den Link hat aber ein anderes Konto angefordert. Wenn es Ihres ist, melden Sie sich ab, öffnen Sie den Link noch einmal und melden Sie sich damit an. Wenn nicht, ignorieren Sie den Link: Ihre Adresse wird nicht verwendet.',
  'emailConfirm.taken': 'Diese Adresse gehört zu einem anderen Konto.',
  'emailConfirm.account': 'Zu Ihrem Konto',
  'emailOwn.title': 'Diese Adresse ist noch nicht bestätigt',
  'emailOwn.text':
    'Apps erfahren das, und manche lassen Sie so nicht hinein. Wir schicken Ihnen einen Link zum Bestätigen.',
  'emailOwn.off':
    'Apps erfahren das, und manche lassen Sie so nicht hinein. Dieser Server kann keine E-Mails verschicken. Wenden Sie sich an Ihren Administrator.',
  'emailOwn.submit': 'Link senden',
  'emailOwn.sent':
    'Wir haben einen Link an {email} geschickt. Öffnen Sie ihn, um die Adresse zu bestätigen.',
  'emailOwn.confirmTitle': 'E-Mail-Adresse bestätigen?',
  'emailOwn.confirmText':
    'Sie sind als {username} angemeldet, und die E-Mail-Adresse dieses Kontos ist {email}. Apps erfahren, dass sie Ihnen gehört.',
  'emailOwn.cancel': 'Nicht jetzt',
  'emailOwn.done': 'Ihre E-Mail-Adresse ist bestätigt.',
  'notices.card': 'E-Mail-Benachrichtigungen',
  'notices.text':
    'Über Sicherheitsänderungen informieren wir Sie immer: ein neues Passwort, eine neue Adresse, einen neuen Passkey.',
  'notices.new-device': 'Anmeldung mit einem neuen Gerät',
  'notices.app-approved': 'Neue App mit Zugriff',
  'notices.submit': 'Speichern',
  'notices.done': 'Gespeichert.',

  'mail.recovery.subject': 'Passwort für {product} zurücksetzen',
  'mail.recovery.text':
    'Wir wurden gebeten, das Passwort für {username} bei {host} zurückzusetzen. Öffnen Sie diesen Link, um ein neues zu wählen:',
  'mail.recovery.action': 'Neues Passwort wählen',
  'mail.recovery.once': 'Der Link gilt einmal und läuft nach {time} ab.',
  'mail.recovery.notYou':
    'Sie haben das nicht angefordert? Dann können Sie diese E-Mail ignorieren. Ihr Passwort ändert sich nicht.',
  'mail.registration.subject': 'Bestätigen Sie Ihre E-Mail-Adresse für {product}',
  'mail.registration.text':
    'Öffnen Sie diesen Link, um mit dieser Adresse ein Konto bei {host} anzulegen:',
  'mail.registration.action': 'Konto anlegen',
  'mail.registration.once':
    'Der Link gilt einmal und läuft nach einem Tag ab. Öffnen Sie ihn in dem Browser, in dem Sie begonnen haben, um dort weiterzumachen.',
  'mail.registration.notYou':
    'Sie haben das nicht angefordert? Dann können Sie diese E-Mail ignorieren. Es wird kein Konto angelegt.',
  'mail.registered.subject': 'Sie haben schon ein Konto bei {product}',
  'mail.registered.text':
    'Jemand wollte mit dieser Adresse ein Konto bei {host} anlegen, aber Sie haben schon eines: {username}. Wenn Sie das waren, melden Sie sich einfach an.',
  'mail.registered.action': 'Anmelden',
  'mail.registered.forgot': 'Passwort vergessen? Setzen Sie es hier zurück: {link}',
  'mail.registered.notYou':
    'Sie waren das nicht? Dann können Sie diese E-Mail ignorieren. Niemand hat erfahren, dass Sie ein Konto haben.',
  'mail.emailChange.subject': 'Bestätigen Sie Ihre neue E-Mail-Adresse für {product}',
  'mail.emailChange.text':
    'Jemand, der bei {host} als {username} angemeldet ist, möchte diese Adresse für das Konto verwenden. Wenn Sie das waren, melden Sie sich dort an und bestätigen Sie sie:',
  'mail.emailChange.action': 'Adresse bestätigen',
  'mail.emailChange.once': 'Der Link gilt einmal und läuft nach einem Tag ab.',
  'mail.emailChange.notYou':
    'Sie waren das nicht? Ignorieren Sie diese E-Mail und melden Sie sich nicht über den Link an. Die Adresse wird nicht verwendet.',
  'mail.emailOwn.subject': 'Bestätigen Sie Ihre E-Mail-Adresse für {product}',
  'mail.emailOwn.text':
    'Jemand, der bei {host} als {username} angemeldet ist, möchte bestätigen, dass ihm diese Adresse gehört. Wenn Sie das waren, melden Sie sich dort an und bestätigen Sie sie:',
  'mail.emailOwn.notYou':
    'Sie waren das nicht? Ignorieren Sie diese E-Mail und melden Sie sich nicht über den Link an. Die Adresse wird nicht bestätigt.',
  'mail.emailTaken.subject': 'Ihre Adresse bei {product}',
  'mail.emailTaken.text':
    'Jemand wollte diese Adresse für ein anderes Konto bei {host} verwenden, aber sie gehört zu Ihrem Konto {username}. Es hat sich nichts geändert.',
  'mail.emailTaken.note':
    'Wenn Sie das waren, ändern Sie zuerst die E-Mail-Adresse von {username}, oder melden Sie sich mit diesem Konto an.',
  'mail.test.subject': 'Test-E-Mail von {product}',
  'mail.test.text': 'Es funktioniert: {product} unter {host} kann Ihnen E-Mails senden.',
  'mail.test.note': 'Ein Administratorkonto mit dieser Adresse hat diesen Test angefordert.',
  'mail.invitation.subject': 'Einladung zu {product}',
  'mail.invitation.text':
    'Sie sind eingeladen, ein Konto bei {host} anzulegen. Öffnen Sie dazu diesen Link:',
  'mail.invitation.action': 'Konto anlegen',
  'mail.invitation.once': 'Der Link gilt einmal und läuft nach einer Woche ab.',
  'mail.invitation.notYou': 'Kein Interesse? Dann können Sie diese E-Mail ignorieren.',
  'mail.notice.toAccount': 'Konto prüfen',
  'mail.notice.toRecover': 'Neues Passwort wählen',
  'mail.notice.optional': 'Diese E-Mails können Sie in Ihrem Konto abschalten.',
  'mail.notice.security': 'Sicherheits-E-Mails wie diese schicken wir immer.',
  'mail.newDevice.subject': 'Neue Anmeldung in Ihrem Konto bei {product}',
  'mail.newDevice.text':
    'Am {time} hat sich jemand als {username} bei {host} angemeldet, mit einem Gerät, das wir noch nicht kannten ({device}{address}).',
  'mail.newDevice.unknown': 'unbekannter Browser',
  'mail.newDevice.from': ', IP-Adresse {address}',
  'mail.newDevice.notYou':
    'Waren Sie das, ist nichts zu tun. Wenn nicht, wählen Sie jetzt ein neues Passwort. Damit werden alle anderen abgemeldet.',
  'mail.appApproved.subject': '„{app}“ kann jetzt Ihr Konto bei {product} nutzen',
  'mail.appApproved.text':
    'Die App „{app}“ hat am {time} Zugriff auf Ihr Konto {username} bei {host} bekommen.',
  'mail.appApproved.notYou':
    'Waren Sie das, ist nichts zu tun. Wenn nicht, entfernen Sie ihren Zugriff in Ihrem Konto.',
  'mail.appLetIn.subject': '{app} kann jetzt bei {product} genutzt werden',
  'mail.appLetIn.text':
    'Ein Administrator von {host} hat die App von {app} zugelassen, um die Sie mit Ihrem Konto {username} gebeten haben. Beginnen Sie in der App noch einmal; Sie werden weiterhin gefragt, bevor sie Ihr Konto nutzen kann.',
  'mail.appLetIn.notYou': 'Wenn Sie die App nicht mehr brauchen, ist nichts zu tun.',
  'mail.appLetIn.action': 'Konto öffnen',
  'mail.newApps.subject': 'Apps warten bei {product} auf Ihre Zustimmung',
  'mail.newApps.text':
    'Bei {host} möchten Personen Apps nutzen, die sich selbst hinzugefügt haben. Ein Administrator muss sie erst zulassen.',
  'mail.newApps.apps': 'Sie kommen von: {hosts}.',
  'mail.newApps.action': 'Apps prüfen',
  'mail.newApps.note':
    'Sie bekommen höchstens eine solche E-Mail pro Stunde. Bis Sie entscheiden, kann niemand diese Apps nutzen.',
  'mail.passwordChanged.subject': 'Ihr Passwort bei {product} wurde geändert',
  'mail.passwordChanged.text':
    'Das Passwort Ihres Kontos {username} bei {host} wurde am {time} geändert.',
  'mail.passwordChanged.notYou':
    'Waren Sie das, ist nichts zu tun. Wenn nicht, wählen Sie jetzt ein neues Passwort.',
  'mail.emailChanged.subject': 'Ihre E-Mail-Adresse bei {product} wurde geändert',
  'mail.emailChanged.text':
    'Die E-Mail-Adresse Ihres Kontos {username} bei {host} wurde am {time} in {email} geändert. Dies ist die letzte E-Mail an diese Adresse.',
  'mail.emailChanged.notYou':
    'Waren Sie das nicht, wenden Sie sich sofort an den Administrator von {host}, damit Sie Ihr Konto zurückbekommen.',
  'mail.addressSet.subject': 'Ihr Konto bei {product} verwendet jetzt diese E-Mail-Adresse',
  'mail.addressSet.text':
    'Ein Administrator hat am {time} diese E-Mail-Adresse für Ihr Konto {username} bei {host} festgelegt. Ab jetzt schreiben wir dorthin, und Sie können sich damit anmelden.',
  'mail.addressSet.notYou':
    'Wenn Sie dort kein Konto haben, wenden Sie sich an den Administrator von {host}.',
  'mail.passwordReset.subject': 'Ein Administrator hat Ihr Passwort bei {product} zurückgesetzt',
  'mail.passwordReset.text':
    'Ein Administrator hat am {time} das Passwort Ihres Kontos {username} bei {host} zurückgesetzt. Das alte gilt nicht mehr, und Sie wurden überall abgemeldet.',
  'mail.passwordReset.notYou':
    'Wenn Sie darum gebeten haben, nennt Ihnen der Administrator das neue Passwort. Wenn nicht, wählen Sie jetzt ein eigenes und fragen Sie den Administrator von {host} nach dem Grund.',
  'mail.usernameChanged.subject': 'Ihr Benutzername bei {product} wurde geändert',
  'mail.usernameChanged.text':
    'Der Benutzername Ihres Kontos bei {host} wurde am {time} von {before} in {username} geändert. Melden Sie sich ab jetzt mit dem neuen Namen an.',
  'mail.usernameChanged.notYou':
    'Wenn Sie das waren oder darum gebeten haben, ist nichts zu tun. Wenn nicht, wählen Sie jetzt ein neues Passwort.',
  'mail.passkeyAdded.subject': 'Ihr Konto bei {product} hat einen neuen Passkey',
  'mail.passkeyAdded.text':
    'Am {time} wurde Ihrem Konto {username} bei {host} der Passkey „{name}“ hinzugefügt. Wer ihn hat, kann sich anmelden.',
  'mail.passkeyAdded.notYou':
    'Waren Sie das, ist nichts zu tun. Wenn nicht, entfernen Sie ihn in Ihrem Konto und wählen Sie ein neues Passwort.',
  'mail.authenticatorAdded.subject':
    'Für Ihr Konto bei {product} wurde eine Authenticator-App eingerichtet',
  'mail.authenticatorAdded.text':
    'Für Ihr Konto {username} bei {host} wurde am {time} eine Authenticator-App eingerichtet. Zum Anmelden brauchen Sie jetzt einen Code daraus.',
  'mail.authenticatorAdded.notYou':
    'Waren Sie das, ist nichts zu tun. Wenn nicht, entfernen Sie sie in Ihrem Konto und wählen Sie ein neues Passwort.',
  'mail.recoveryCodesMade.subject': 'Neue Wiederherstellungscodes für Ihr Konto bei {product}',
  'mail.recoveryCodesMade.text':
    'Am {time} wurden neue Wiederherstellungscodes für Ihr Konto {username} bei {host} erstellt. Die alten gelten nicht mehr.',
  'mail.recoveryCodesMade.notYou':
    'Waren Sie das, ist nichts zu tun. Wenn nicht, wählen Sie ein neues Passwort und erstellen Sie in Ihrem Konto neue Codes.',
  'mail.recoveryCodeUsed.subject':
    'Ein Wiederherstellungscode Ihres Kontos bei {product} wurde verwendet',
  'mail.recoveryCodeUsed.text':
    'Am {time} hat sich jemand mit einem Wiederherstellungscode in Ihrem Konto {username} bei {host} angemeldet. Verbleibende Codes: {left}.',
  'mail.recoveryCodeUsed.notYou':
    'Waren Sie das, ist nichts zu tun. Wenn nicht, wählen Sie ein neues Passwort und erstellen Sie in Ihrem Konto neue Codes.',
  'mail.secondFactorOff.subject':
    'Die Zwei-Faktor-Anmeldung für Ihr Konto bei {product} ist ausgeschaltet',
  'mail.secondFactorOff.text':
    'Ihr Konto {username} bei {host} hat keine Zwei-Faktor-Anmeldung mehr. Das wurde am {time} geändert.',
  'mail.secondFactorOff.notYou':
    'Waren Sie das, ist nichts zu tun. Wenn nicht, wählen Sie ein neues Passwort und richten Sie die Zwei-Faktor-Anmeldung wieder ein.',
  'mail.wrongCodes.subject': 'Jemand kennt vielleicht Ihr Passwort bei {product}',
  'mail.wrongCodes.text':
    'Jemand hat das richtige Passwort Ihres Kontos {username} bei {host} eingegeben, aber {count} falsche Codes. Der letzte Versuch war am {time} ({device}{address}).',
  'mail.wrongCodes.notYou':
    'Waren Sie das, ist nichts zu tun. Wenn nicht, kennt jemand Ihr Passwort: Wählen Sie ein neues. Nach 50 falschen Codes in Folge braucht dieser Browser einen Wiederherstellungscode oder einen Passkey.',
  'mail.tokenReuse.subject': '„{app}“ wurde von Ihrem Konto bei {product} getrennt',
  'mail.tokenReuse.text':
    'Wir haben „{app}“ am {time} von Ihrem Konto {username} bei {host} abgemeldet, weil eines ihrer Tokens zweimal verwendet wurde. Vielleicht wurde es kopiert, oder die App hat einen Fehler gemacht.',
  'mail.tokenReuse.notYou':
    'Melden Sie sich in der App neu an, um sie weiter zu nutzen. Passiert das wieder, sagen Sie es denen, die sie entwickeln.',

  'expired.title': 'Das hat etwas zu lange gedauert',
  'expired.text':
    'Zu Ihrer Sicherheit haben Sie für eine Anmeldung eine Stunde Zeit. An {app} wurde nichts weitergegeben.',
  'expired.textPlain':
    'Zu Ihrer Sicherheit haben Sie für eine Anmeldung eine Stunde Zeit. Es wurde nichts weitergegeben.',
  'expired.again': 'Noch einmal versuchen',

  'wrongBrowser.title': 'Diese Seite gehört zu einem anderen Browser',
  'wrongBrowser.text':
    'Die Anmeldung wurde in einem anderen Browser oder Fenster begonnen. Gehen Sie zurück zur App und beginnen Sie dort neu.',
  'flowInvalid.title': 'Dieser Link ist unvollständig',
  'flowInvalid.text':
    'Ein Teil ging unterwegs verloren oder wurde verändert. Gehen Sie zurück zur App und beginnen Sie neu.',
  'flowUsed.title': 'Diese Anfrage ist schon beantwortet',
  'flowUsed.text':
    'Sie haben die App zugelassen, oder Sie haben abgelehnt. Gehen Sie zurück zur App. Fragt sie immer noch nach einer Anmeldung, beginnen Sie dort neu.',
  'stale.title': 'Dieses Formular ist veraltet',
  'stale.text':
    'Es war zu lange offen, oder Cookies sind ausgeschaltet. Gehen Sie zurück, laden Sie die Seite neu und versuchen Sie es noch einmal.',
  'crossSite.title': 'Diese Anfrage kam von einer anderen Website',
  'crossSite.text':
    'Zu Ihrer Sicherheit wurde nichts ausgeführt. Öffnen Sie die Seite hier und versuchen Sie es noch einmal.',
  'wrongAddress.title': 'Diese Seite wurde unter der falschen Adresse geöffnet',
  'wrongAddress.text':
    'Sie sind bei {at}, die Adresse dieses Servers ist aber {issuer}. Öffnen Sie ihn dort.',
  'wrongAddress.posted':
    'Sie sind bei {at}, die Adresse dieses Servers ist aber {issuer}. Es wurde nichts geändert. Öffnen Sie die Seite dort und versuchen Sie es noch einmal.',
  'wrongAddress.open': '{issuer} öffnen',
  'wrongAddress.doctor': 'Wie Anfragen diesen Server erreichen, zeigt: npm run cli -- doctor',
  'wrongAddress.set':
    'Sie betreiben diesen Server, und {at} ist richtig? Setzen Sie dies und starten Sie ihn neu:',
  'tooLarge.title': 'Das ist zu groß',
  'tooLarge.text':
    'So viele Daten kann diese Seite nicht annehmen. Gehen Sie zurück und wählen Sie eine kleinere Datei.',
  'appUnread.title': 'Wer diese App ist, war nicht zu erfahren',
  'appUnread.text':
    'Die App veröffentlicht, wer sie ist, und das war gerade nicht lesbar. Es wurde nichts weitergegeben. Bitte gehen Sie zurück und versuchen Sie es in ein paar Minuten noch einmal.',
  'busy.title': 'Gerade ist viel los',
  'busy.text': 'Bitte versuchen Sie es gleich noch einmal.',
  'tooManyNewApps.title': 'Zu viele neue Apps auf einmal',
  'tooManyNewApps.ofNetwork':
    'Aus Ihrem Netz wurden in kurzer Zeit zu viele neue Apps nachgeschlagen, deshalb muss diese warten. Ihr wurde nichts mitgeteilt. Versuchen Sie es in {wait} noch einmal.',
  'tooManyNewApps.text':
    'Sie haben in kurzer Zeit 20 neue Apps zugelassen, deshalb muss diese warten. Ihr wurde nichts mitgeteilt. Versuchen Sie es in {wait} noch einmal.',

  'clientGone.title': 'Diese App muss neu verbunden werden',
  'clientGone.text':
    'Dieser Server kennt sie nicht mehr, weil sie eine Weile niemand benutzt hat oder weil sie entfernt wurde. Gehen Sie zurück zur App und verbinden Sie sie neu. Hilft das nicht, entfernen Sie die Verbindung in der App und legen Sie sie neu an.',
  'clientNotAccepted.title': 'Diese App ist hier nicht nutzbar',
  'clientNotAccepted.text':
    'Sie hat sich selbst hinzugefügt, und das lässt dieser Server nicht zu. Es wurde nichts weitergegeben. Um die App zu nutzen, fragen Sie, wer diesen Server betreibt.',
  'error.authorizeTitle': 'Mit der Anfrage der App stimmt etwas nicht',
  'error.authorizeText':
    'Sie können unbesorgt zurückgehen. Es wurde nichts weitergegeben, und mit Ihrem Konto ist alles in Ordnung.',
  'error.reason': 'Was ist passiert?',
  'error.detail': 'Meldung an die Entwickler (englisch)',
  'error.forDeveloper': 'Für die Entwickler der App',
  'error.code': 'Fehlercode',
  'error.request': 'Anfrage-ID',
  'error.app': 'App',
  'error.sentAddress': 'Adresse, die die App gesendet hat',
  'error.time': 'Zeit',
  'error.copyForAdmin': 'Für den Administrator kopieren',
  'error.why': 'Grund ansehen und beheben',
  'error.explain': 'Was dieser Fehler bedeutet (englisch)',
  'why.noApp': 'Die App hat nicht gesagt, welche App sie ist.',
  'why.unknownApp': 'Dieser Server kennt die App nicht.',
  'why.disabledApp': 'Ein Administrator hat die App deaktiviert.',
  'why.appNotAccepted': 'Apps wie diese sind hier nicht zugelassen.',
  'why.appUnread': 'Was die App über sich selbst sagt, ließ sich nicht lesen.',
  'why.tooManyNewApps':
    'Sie haben so viele neue Apps zugelassen, wie eine Person in 15 Minuten darf.',
  'why.tooManyDocuments':
    'Aus Ihrem Netz wurden so viele neue Apps nachgeschlagen, wie in 15 Minuten möglich ist.',
  'why.noAddress': 'Die App hat nicht gesagt, wohin es danach gehen soll.',
  'why.unknownAddress':
    'Die App möchte Sie an eine Adresse schicken, die nicht für sie eingetragen ist.',
  'why.forbiddenAddress': 'Die App möchte Sie an eine Adresse schicken, die nicht erlaubt ist.',
  'why.foreignProof':
    'Die App hat einen Anmeldenachweis gesendet, der nicht zu ihr oder nicht zu diesem Server gehört.',
  'why.notThisWay': 'Die App darf niemanden auf diesem Weg anmelden.',
  'why.unknownAccess': 'Die App hat einen Zugriff verlangt, den es hier nicht gibt.',
  'why.forbiddenAccess': 'Die App hat einen Zugriff verlangt, den sie nicht verlangen darf.',
  'why.unprotected': 'Die App hat einen vorgeschriebenen Schutz weggelassen (PKCE).',
  'why.twice': 'Die App hat etwas doppelt gesendet.',
  'why.signInNeeded': 'Sie müssen sich zuerst anmelden.',
  'why.consentNeeded': 'Sie müssen die App zuerst zulassen.',
  'why.notYours': 'Sie können diese App nicht verwenden.',
  'why.notFromHere': 'Diese App kann von Ihrem Netzwerk aus nicht verwendet werden.',
  'why.other': 'Was die App gesendet hat, kann dieser Server nicht beantworten.',
  'error.unexpectedTitle': 'Bei uns ist etwas schiefgegangen',
  'error.unexpectedText': 'Es liegt nicht an Ihnen. Bitte versuchen Sie es gleich noch einmal.',
  'outdated.title': 'Diese Seite ist veraltet',
  'outdated.text':
    'Der Server wurde aktualisiert, seit die Seite geöffnet wurde. Gehen Sie zurück, laden Sie die Seite neu und senden Sie das Formular noch einmal.',
  'error.formTitle': 'Dieses Formular konnte nicht gelesen werden',
  'error.formText':
    'Es wurde nichts geändert. Etwas darin ist kein Text oder viel zu lang. Gehen Sie zurück, prüfen Sie es und senden Sie es noch einmal.',
  'error.retry': 'Noch einmal versuchen',
  'error.home': 'Zur Startseite',
  'error.docs': 'Dokumentation öffnen',
  'error.signIn': 'Zur Anmeldung',
  'error.account': 'Zu Ihrem Konto',
  'cancelled.title': 'Sie haben abgebrochen',
  'cancelled.text': 'Es wurde nichts weitergegeben. Sie können diese Seite schließen.',
  'approval.title': '{app} braucht die Zustimmung eines Administrators',
  'approval.text':
    'Diese App hat hier noch niemand zugelassen. Wenn Sie sie selbst gestartet haben und nutzen möchten, bitten Sie einen Administrator darum.',
  'approval.ask': 'Einen Administrator bitten',
  'approval.asked':
    'Die Administratoren wissen Bescheid. Sobald sie zugestimmt haben, können Sie hier weitermachen oder in der App neu beginnen.',
  'approval.askedMail': 'Sie bekommen dann eine E-Mail.',
  'approval.again': 'Erneut prüfen',
  'approval.refusedTitle': '{app} kann hier nicht genutzt werden',
  'approval.refusedText':
    'Ein Administrator hat diese App abgelehnt. Wenn Sie sie brauchen, sprechen Sie ihn an; es wurde nichts an sie weitergegeben.',
  'approval.full':
    'Es warten schon zu viele Apps auf einen Administrator, deshalb kam Ihre nicht dazu. Versuchen Sie es wieder, wenn entschieden ist, oder sprechen Sie ihn an.',
  'noAccess.title': 'Sie können {app} nicht verwenden',
  'noAccess.text': 'Ihr Konto ist für diese App nicht freigeschaltet.',
  'noAccess.place':
    'Sie ist nur aus bestimmten Netzwerken erreichbar, und Sie sind bei {address}. Verbinden Sie sich mit dem richtigen Netzwerk und versuchen Sie es dann noch einmal.',
  'noAccess.placeUnknown':
    'Sie ist nur aus bestimmten Netzwerken erreichbar, und dieser Server weiß nicht, wo Sie sind.',
  'noAccess.againThere': 'Erneut versuchen',
  'noAccess.askAdmin': 'Wenn Sie die App brauchen, wenden Sie sich an Ihren Administrator.',
  'noAccess.ask': 'Wenn Sie die App brauchen, {help}.',
  'noAccess.askLink': 'bitten Sie um Zugang',
  'noAccess.back': 'Zurück zu {app}',
  'noAccess.backPlain': 'Zurück zur App',
  'noAccess.switch': 'Anderes Konto verwenden',
  'noAccess.again': 'Erneut versuchen',
  'notFound.title': 'Hier ist nichts',
  'notFound.text': 'Vielleicht ist die Adresse falsch geschrieben, oder die Seite ist umgezogen.',
  'notFound.docsTitle': 'Diese Seite gibt es in der Dokumentation nicht',
  'notFound.docsText':
    'Vielleicht ist die Adresse falsch geschrieben, oder die Seite ist umgezogen. Die Dokumentation (auf Englisch) hat eine Liste ihrer Seiten und eine Suche.',

  'formPost.title': 'Es geht zurück',
  'formPost.text': 'Sie werden zurück zu {host} geschickt.',
  'formPost.submit': 'Weiter',
});

/** "E-Mail" is one word: no line break after the hyphen. */
function whole(messages: Messages): Messages {
  const joined = Object.entries(messages).map(([key, message]) => [
    key,
    message.replaceAll('E-Mail', 'E-\u2060Mail'),
  ]);
  return Object.fromEntries(joined) as Messages;
}
