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
  'field.optional': 'freiwillig',
  'field.showPassword': 'Zeigen',
  'field.hidePassword': 'Verbergen',
  'field.showPasswordLabel': 'Passwort zeigen',
  'field.hidePasswordLabel': 'Passwort verbergen',
  'notice.error': 'Fehler',
  'notice.warning': 'Achtung',
  'notice.info': 'Hinweis',
  'notice.success': 'Erledigt',
  'nav.main': 'Hauptmenü',
  'nav.home': 'Konto',
  'nav.apps': 'Apps',
  'nav.profile': 'Profil',
  'nav.sessions': 'Browser',
  'nav.security': 'Sicherheit',
  'nav.mail': 'E-Mail',
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
  'landing.developersText': 'Ihre OAuth-2.0-Bibliothek findet alles Nötige unter {link}.',
  'landing.docs': 'Alle Adressen und Fehler (englisch)',
  'landing.setupTitle': 'Noch nicht eingerichtet',
  'landing.setupText':
    'Noch kann sich niemand anmelden. Wer diesen Server gestartet hat, findet im Terminal einen Link, der genau einmal gilt und das erste Konto anlegt.',

  'signIn.title': 'Anmelden',
  'signIn.toContinue': 'weiter zu {app}',
  'signIn.username': 'Benutzername oder E-Mail-Adresse',
  'signIn.password': 'Passwort',
  'signIn.submit': 'Anmelden',
  'signIn.cancel': 'Abbrechen und zurück zu {app}',
  'signIn.cancelPlain': 'Abbrechen',
  'signIn.wrong':
    'Benutzername und Passwort passen nicht zusammen. Prüfen Sie beides und versuchen Sie es noch einmal.',
  'signIn.throttled': 'Zu viele Versuche. Versuchen Sie es in {wait} noch einmal.',
  'signIn.busy': 'Gerade ist viel los. Bitte versuchen Sie es gleich noch einmal.',
  'signIn.usernameMissing': 'Geben Sie Ihren Benutzernamen oder Ihre E-Mail-Adresse ein.',
  'signIn.passwordMissing': 'Geben Sie Ihr Passwort ein.',
  'signIn.again': 'Bitte melden Sie sich noch einmal an, um fortzufahren.',
  'signIn.afterPassword': 'Ihr Passwort ist geändert. Melden Sie sich mit dem neuen an.',
  'signIn.afterPasswordPasskeys':
    'Ihr Passwort ist geändert. Melden Sie sich mit dem neuen an. Die Passkeys Ihres Kontos gelten weiter: Sehen Sie sie unter Sicherheit durch und entfernen Sie die, die nicht von Ihnen sind.',

  'factor.title': 'Noch ein Schritt',
  'factor.lead': 'Hallo {account}. Ihr Passwort stimmt; bestätigen Sie nun, dass Sie es sind.',
  'factor.code': 'Code aus Ihrer Authenticator-App',
  'factor.codeHint': 'Sechs Ziffern. Alle 30 Sekunden erscheint ein neuer Code.',
  'factor.submit': 'Weiter',
  'factor.recovery': 'Wiederherstellungscode verwenden',
  'factor.recoveryCode': 'Wiederherstellungscode',
  'factor.recoveryHint': 'Sechzehn Buchstaben und Ziffern von Ihrer Liste. Jeder Code gilt einmal.',
  'factor.recoverySubmit': 'Diesen Code verwenden',
  'factor.recoveryLost': 'Nichts davon zur Hand? Die Verwaltung dieses Servers kann Ihnen helfen.',
  'factor.startOver': 'Mit einem anderen Konto anmelden',
  'factor.wrong':
    'Dieser Code stimmt nicht oder wurde schon verwendet. Warten Sie auf den nächsten und versuchen Sie es noch einmal.',
  'factor.recoveryWrong': 'Das ist keiner Ihrer unbenutzten Wiederherstellungscodes.',
  'factor.throttled': 'Zu viele Versuche. Versuchen Sie es in {wait} noch einmal.',
  'factor.stopped':
    'Zu viele falsche Codes. Hier hilft jetzt nur ein Wiederherstellungscode oder ein Passkey.',
  'factor.codeMissing': 'Geben Sie den Code ein.',
  'factor.expired': 'Das hat zu lange gedauert. Bitte melden Sie sich noch einmal an.',

  'passkey.signIn': 'Stattdessen Passkey verwenden',
  'passkey.use': 'Passkey verwenden',
  'passkey.or': 'oder',
  'passkey.refused':
    'Dieser Passkey hat hier nicht funktioniert. Versuchen Sie es noch einmal oder nehmen Sie Ihr Passwort.',
  'passkey.notVerified':
    'Das hat nicht geklappt. Versuchen Sie es noch einmal oder wählen Sie einen anderen Weg.',
  'passkey.cancelled':
    'Es wurde nichts bestätigt. Versuchen Sie es noch einmal, wenn Sie so weit sind.',
  'passkey.known': 'Dieses Gerät hat schon einen Passkey für Ihr Konto.',
  'passkey.needsScript':
    'Passkeys brauchen JavaScript, und das ist in diesem Browser ausgeschaltet.',
  'passkey.namePlain': 'Passkey',
  'passkey.nameKey': 'Sicherheitsschlüssel',

  'security.title': 'Anmeldung und Sicherheit',
  'security.lead': 'Was Sie außer Ihrem Passwort zum Anmelden brauchen.',
  'security.link': 'Zweite Faktoren und Passkeys',
  'security.linkText': 'Mehr verlangen als ein Passwort, oder ganz ohne anmelden.',
  'security.stale': 'Um hier etwas zu ändern, melden Sie sich zuerst noch einmal an',
  'security.staleText': 'Das schützt Ihr Konto, wenn Ihr Browser irgendwo offen steht.',
  'security.signInAgain': 'Noch einmal anmelden',
  'security.refusedStale':
    'Dafür ist Ihre Anmeldung zu lange her. Melden Sie sich noch einmal an und wiederholen Sie es dann.',
  'security.required':
    'Dieser Server verlangt einen zweiten Faktor. Der letzte lässt sich nur durch einen anderen ersetzen.',
  'security.off': 'Nur Ihr Passwort schützt Ihr Konto',
  'security.offText':
    'Fügen Sie einen Passkey oder eine Authenticator-App hinzu, dann kommt niemand mit Ihrem Passwort allein hinein.',
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
  'security.lastText': 'Es ist Ihr letzter Faktor: Danach genügt Ihr Passwort allein zum Anmelden.',

  'security.passkeys': 'Passkeys',
  'security.passkeysText':
    'Ihr Finger, Ihr Gesicht oder die PIN eines Geräts. Ein Passkey meldet Sie ohne Passwort an und ist zusammen mit einem Ihr zweiter Faktor.',
  'security.passkeysNone': 'Noch keine Passkeys',
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
  'security.passkeyNameBad': 'Verwenden Sie 1 bis 60 Zeichen, und keine Steuerzeichen.',
  'security.passkeyRemove': 'Entfernen',
  'security.passkeyRemoveLabel': '{name} entfernen',
  'security.passkeyRemoveText':
    '{name} meldet Sie dann nicht mehr an. Löschen Sie ihn auch auf Ihrem Gerät.',
  'security.passkeyRemoveConfirm': 'Ja, entfernen',
  'security.passkeysImpossible':
    'Passkeys brauchen einen Server mit Namen; dieser ist nur unter einer Nummer erreichbar.',

  'security.codes': 'Wiederherstellungscodes',
  'security.codesText':
    'Mit ihnen kommen Sie hinein, wenn Telefon oder Passkey verloren sind. Bewahren Sie sie woanders auf.',
  'security.codesLeft': 'noch {count} von {total}',
  'security.codesNone': 'keine mehr',
  'security.codesWhen': 'Sie bekommen sie zusammen mit Ihrem ersten Faktor.',
  'security.codesNew': 'Neue Codes erstellen',
  'security.codesNewText': 'Ihre jetzigen Codes gelten dann nicht mehr.',
  'security.codesNewConfirm': 'Ja, neue erstellen',

  'security.doneApp': 'Ihre Authenticator-App ist eingerichtet.',
  'security.doneAppRemoved': 'Die Authenticator-App ist entfernt.',
  'security.donePasskey': 'Der Passkey ist hinzugefügt.',
  'security.donePasskeyRemoved': 'Der Passkey ist entfernt.',
  'security.doneRenamed': 'Der Passkey hat seinen neuen Namen.',
  'security.doneCodes': 'Ihre Wiederherstellungscodes gelten jetzt.',
  'security.passkeyNotAdded':
    'Dieser Passkey ließ sich nicht hinzufügen. Bitte versuchen Sie es noch einmal.',

  'totp.title': 'Authenticator-App einrichten',
  'totp.scan': 'Scannen Sie dieses Bild mit einer Authenticator-App auf Ihrem Telefon.',
  'totp.scanAlt': 'QR-Code mit dem Geheimnis, das darunter steht',
  'totp.open': 'In einer App auf diesem Gerät öffnen',
  'totp.type': 'Oder tippen Sie dieses Geheimnis in die App',
  'totp.code': 'Geben Sie dann den Code ein, den sie zeigt',
  'totp.submit': 'Einschalten',
  'totp.wrong':
    'Dieser Code passt nicht. Prüfen Sie, ob die Uhr Ihres Telefons richtig geht, und geben Sie den neuesten Code ein.',
  'totp.late': 'Das hat zu lange gedauert. Hier ist ein neues Bild; bitte scannen Sie noch einmal.',
  'totp.cancel': 'Abbrechen',

  'enrol.title': 'Machen Sie Ihr Konto sicherer',
  'enrol.lead':
    'Dieser Server verlangt neben dem Passwort einen zweiten Schritt. Sie richten ihn einmal ein; das dauert etwa eine Minute.',
  'enrol.leadApp':
    '{app} verlangt neben dem Passwort einen zweiten Schritt. Sie richten ihn einmal ein; das dauert etwa eine Minute.',
  'enrol.toContinue': 'Danach geht es weiter zu {app}.',
  'enrol.passkey': 'Mit einem Passkey',
  'enrol.passkeyText': 'Am schnellsten: Ihr Finger, Ihr Gesicht oder die PIN dieses Geräts.',
  'enrol.passkeyAdd': 'Passkey erstellen',
  'enrol.app': 'Mit einer Authenticator-App',

  'codes.title': 'Bewahren Sie Ihre Wiederherstellungscodes auf',
  'codes.text':
    'Jeder davon meldet Sie einmal an, wenn Telefon oder Passkey verloren sind. Sie sehen sie nur jetzt.',
  'codes.list': 'Ihre Wiederherstellungscodes',
  'codes.download': 'Als Text herunterladen',
  'codes.warning':
    'Drucken Sie sie aus oder legen Sie sie in einen Passwortmanager, nicht auf das Telefon, das sie ersetzen.',
  'codes.done': 'Ich habe sie aufbewahrt',
  'codes.fileTitle': '{product}: Wiederherstellungscodes für {account} bei {host}',
  'codes.fileText': 'Jeder Code gilt einmal. Neue Codes machen diese ungültig.',

  'consent.title': 'Darf {app} Ihr Konto nutzen?',
  'consent.account': 'Angemeldet als',
  'consent.switch': 'Nicht Sie?',
  'consent.switchLabel': 'Nicht Sie? Anderes Konto verwenden',
  'consent.shared': 'Die App sieht immer',
  'consent.sharedText': 'Ihren Benutzernamen und Ihre E-Mail-Adresse',
  'consent.sharedValues': '{username} und {email}',
  'consent.scopes': 'Die App darf außerdem',
  'consent.more': 'neu',
  'consent.sensitive': 'heikel',
  'consent.returns': 'Führt zurück zu',
  'consent.returnsDevice': 'Führt zurück zu einer App auf diesem Gerät',
  'consent.unregisteredTitle': 'Diese Adresse ist für die App nicht eingetragen',
  'consent.unregisteredText':
    'Jeder könnte sie in den Link gesetzt haben, der Sie hierher geführt hat. Erlauben Sie es nur, wenn Sie {host} kennen und selbst dort begonnen haben.',
  'consent.insecureTitle': 'Diese Adresse ist nicht verschlüsselt',
  'consent.insecureText':
    'Sie verwendet einfaches http. Andere auf dem Weg, etwa im selben WLAN, könnten mitlesen und über diese App Ihr Konto nutzen.',
  'consent.deviceTitle': 'Nur wenn Sie gerade in der App begonnen haben',
  'consent.deviceText':
    'Wir können nicht prüfen, welche App auf diesem Gerät fragt. Haben Sie die Anmeldung nicht selbst begonnen, lehnen Sie ab.',
  'consent.changed':
    'Während diese Seite offen war, hat sich etwas geändert. Bitte sehen Sie noch einmal hin und entscheiden Sie.',
  'consent.allow': 'Erlauben',
  'consent.deny': 'Ablehnen',
  'consent.undo': 'Sie können diesen Zugriff jederzeit in Ihrem Konto entfernen.',
  'consent.home': 'Startseite',
  'consent.privacy': 'Datenschutz',
  'consent.terms': 'Nutzungsbedingungen',
  'consent.about': 'Über diese App',

  'scope.openid': 'Wissen, dass Sie sich angemeldet haben',
  'scope.profile': 'Ihren Namen, Ihr Bild und andere Angaben aus Ihrem Profil sehen',
  'scope.email': 'Sehen, ob Ihre E-Mail-Adresse bestätigt ist',
  'scope.address': 'Ihre Postanschrift sehen',
  'scope.phone': 'Ihre Telefonnummer sehen',
  'scope.offline_access':
    'Verbunden bleiben, auch wenn Sie nicht da sind, bis Sie den Zugriff entfernen',

  'setup.title': '{product} einrichten',
  'setup.lead':
    'Legen Sie das erste Konto an. Es kann Apps, Personen und Einstellungen verwalten. Dieser Link gilt einmal.',
  'setup.username': 'Benutzername',
  'setup.email': 'E-Mail-Adresse',
  'setup.name': 'Ihr Name',
  'setup.password': 'Passwort',
  'setup.passwordHint': 'Mindestens {length} Zeichen. Ein paar Wörter ohne Zusammenhang sind gut.',
  'setup.submit': 'Konto anlegen',
  'setup.usernameBad':
    'Erlaubt sind Buchstaben, Ziffern, Punkte, Binde- und Unterstriche, höchstens 64 Zeichen. Eine Adresse oder ein Link darf es nicht sein.',
  'setup.nameBad': 'Verwenden Sie höchstens 200 Zeichen, und keine Steuerzeichen.',
  'setup.usernameTaken': 'Dieser Benutzername ist vergeben.',
  'setup.emailBad': 'Geben Sie eine E-Mail-Adresse ein, zum Beispiel ada@example.org.',
  'setup.emailTaken': 'Diese E-Mail-Adresse wird schon verwendet.',
  'setup.passwordShort': 'Verwenden Sie mindestens {min} Zeichen.',
  'setup.passwordLong': 'Verwenden Sie höchstens {max} Zeichen.',
  'password.common':
    'Das ist eines der häufigsten Passwörter und wird zuerst ausprobiert. Wählen Sie ein anderes.',
  'password.own':
    'Das ist Ihr eigener Benutzername oder Ihre E-Mail-Adresse. Wählen Sie etwas, das andere nicht wissen.',
  'setup.deadTitle': 'Dieser Link gilt nicht mehr',
  'setup.deadText':
    'Das erste Konto gibt es schon, oder der Link ist nicht vollständig. Betreiben Sie diesen Server, dann starten Sie ihn neu, um einen gültigen Link zu sehen.',

  'home.title': 'Ihr Konto',
  'home.hello': 'Hallo, {name}',
  'home.apps': 'Apps mit Zugriff',
  'home.appsNone': 'Noch keine Apps',
  'home.appsNoneText': 'Wenn Sie einer App erlauben, Ihr Konto zu nutzen, erscheint sie hier.',
  'home.appsMore': '{count} weitere',
  'home.profileText': 'Ihr Bild, Ihr Name und was Apps sonst über Sie erfahren können.',
  'home.sessionsText': 'Angemeldete Browser, und wie Sie das beenden.',
  'home.approved': 'Erlaubt am {date}',
  'home.lastUsed': 'zuletzt genutzt {date}',
  'home.neverUsed': 'noch nicht genutzt',
  'home.shared': 'Ihren Benutzernamen und Ihre E-Mail-Adresse sehen',
  'home.remove': 'Zugriff entfernen',
  'home.removeLabel': 'Zugriff entfernen: {app}',
  'home.removeText':
    '{app} verliert sofort den Zugriff auf Ihr Konto. Sie können ihn später wieder erlauben.',
  'home.removeConfirm': 'Ja, Zugriff entfernen',
  'home.removeScope': 'Wegnehmen',
  'home.removeScopeLabel': 'Wegnehmen von {app}: {scope}',
  'home.scopeRemoved': 'Die App darf das nicht mehr. Sie muss Sie erst wieder fragen.',
  'home.removed': 'Die App hat keinen Zugriff mehr auf Ihr Konto.',
  'home.password': 'Passwort ändern',
  'home.passwordText': 'Hier bleiben Sie angemeldet, überall sonst werden Sie abgemeldet.',
  'home.currentPassword': 'Jetziges Passwort',
  'home.newPassword': 'Neues Passwort',
  'home.endAppTokens': 'Auch alle Apps abmelden',
  'home.endAppTokensHint':
    'Jede App muss Sie erst wieder hierher schicken, bevor sie Ihr Konto nutzen kann.',
  'home.passwordSubmit': 'Passwort ändern',
  'home.passwordDone': 'Ihr Passwort ist geändert, und andere Browser sind abgemeldet.',
  'home.passwordWrong': 'Das ist nicht Ihr jetziges Passwort.',
  'home.passwordSame': 'Wählen Sie ein anderes Passwort als das jetzige.',

  'apps.title': 'Verbundene Apps',
  'apps.lead': 'Apps, die Ihr Konto nutzen, und was jede darf.',
  'apps.details': 'Ansehen und ändern',
  'apps.detailsLabel': 'Ansehen und ändern, was {app} darf',
  'apps.placesNone': 'zurzeit nirgends angemeldet',
  'apps.places': 'one: an einem Ort angemeldet | other: an {count} Orten angemeldet',
  'apps.may': 'Was die App darf',
  'apps.mayText':
    'Was Sie wegnehmen, endet sofort. Die App wird dort abgemeldet, wo sie es genutzt hat, und muss Sie erst wieder fragen.',
  'apps.sees': 'Was die App von Ihnen sieht',
  'apps.seesText':
    'Das erfährt die App, wenn sie jetzt fragt. Mehr aus Ihrem Konto bekommt sie nicht.',
  'apps.end': 'Zugriff beenden',
  'apps.endText':
    'Alles, was sie bekommen hat, gilt sofort nicht mehr, wo immer sie angemeldet ist.',

  'claim.yes': 'Ja',
  'claim.no': 'Nein',
  'claim.sub': 'Kennung',
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
  'claim.updated_at': 'Konto zuletzt geändert',

  'sessions.title': 'Wo Sie angemeldet sind',
  'sessions.lead': 'Etwas davon kennen Sie nicht? Melden Sie es ab und ändern Sie Ihr Passwort.',
  'sessions.list': 'Browser',
  'sessions.device': '{browser} auf {system}',
  'sessions.unknown': 'Ein Browser, den wir nicht kennen',
  'sessions.current': 'dieser Browser',
  'sessions.since': 'angemeldet am {date}',
  'sessions.seen': 'zuletzt aktiv {date}',
  'sessions.active': 'jetzt aktiv',
  'sessions.justNow': 'in den letzten Minuten aktiv',
  'sessions.thisNetwork': 'in diesem Netzwerk ({address})',
  'sessions.network': 'im Netzwerk von {address}',
  'sessions.noNetwork': 'Netzwerk unbekannt',
  'sessions.end': 'Abmelden',
  'sessions.endLabel': '{device} abmelden',
  'sessions.ended': 'Dieser Browser ist abgemeldet.',
  'sessions.endOthers': 'Überall sonst abmelden',
  'sessions.endOthersText':
    'Hier bleiben Sie angemeldet. Apps behalten den Zugriff, den Sie ihnen gegeben haben.',
  'sessions.endOthersConfirm': 'Ja, die anderen abmelden',
  'sessions.othersEnded': 'Alle anderen Browser sind abgemeldet.',

  'profile.title': 'Profil',
  'profile.lead':
    'Was Apps von Ihnen sehen können, wenn Sie es erlauben. Jedes Feld darf leer bleiben.',
  'profile.about': 'Über Sie',
  'profile.aboutText': 'Für Apps, die Ihr Profil oder Ihre Telefonnummer sehen dürfen.',
  'profile.name': 'Vollständiger Name',
  'profile.given_name': 'Vorname',
  'profile.middle_name': 'Weitere Vornamen',
  'profile.family_name': 'Nachname',
  'profile.nickname': 'Spitzname',
  'profile.gender': 'Geschlecht',
  'profile.profile': 'Seite über Sie',
  'profile.website': 'Website',
  'profile.birthdate': 'Geburtstag',
  'profile.birthdateHint': 'Jahr, Monat und Tag, zum Beispiel 1990-12-31, oder nur das Jahr.',
  'profile.linkHint': 'Beginnt mit https://',
  'profile.zoneinfo': 'Zeitzone',
  'profile.zoneinfoNone': 'Keine Angabe',
  'profile.phone_number': 'Telefonnummer',
  'profile.locale': 'Sprache',
  'profile.localeBrowser': 'Wie im Browser eingestellt',
  'profile.address': 'Postanschrift',
  'profile.addressText': 'Für Apps, die Ihre Postanschrift sehen dürfen.',
  'profile.street_address': 'Straße und Hausnummer',
  'profile.postal_code': 'Postleitzahl',
  'profile.locality': 'Ort',
  'profile.region': 'Bundesland oder Region',
  'profile.country': 'Land',
  'profile.submit': 'Speichern',
  'profile.done': 'Ihr Profil ist gespeichert.',
  'profile.bad': 'Das hat nicht die Form, die Apps lesen können. Bitte prüfen Sie es.',
  'profile.badBirthdate': 'Das ist kein Datum, das Apps lesen können.',
  'profile.badLink': 'Geben Sie eine Adresse ein, die mit https:// oder http:// beginnt.',
  'profile.refused': 'Nichts wurde gespeichert. Prüfen Sie die markierten Felder.',

  'picture.title': 'Bild',
  'picture.text': 'Zu sehen auf Ihren Seiten hier und für Apps, die Ihr Profil sehen dürfen.',
  'picture.file': 'Bild auswählen',
  'picture.hint':
    'PNG, JPEG, WebP oder GIF, bis 2 MB. Wir behalten ein kleines Quadrat aus der Mitte und nichts darüber, wo es aufgenommen wurde.',
  'picture.submit': 'Hochladen',
  'picture.remove': 'Bild entfernen',
  'picture.done': 'Ihr Bild ist gespeichert.',
  'picture.removed': 'Ihr Bild ist entfernt.',
  'picture.missing': 'Wählen Sie zuerst eine Datei aus.',
  'picture.heavy': 'Diese Datei hat mehr als 2 MB. Wählen Sie eine kleinere.',
  'picture.kind': 'Das ist kein PNG-, JPEG-, WebP- oder GIF-Bild.',
  'picture.pixels':
    'Dieses Bild hat zu viele Pixel. Verkleinern Sie es und versuchen Sie es noch einmal.',
  'picture.broken': 'Dieses Bild ist beschädigt. Wählen Sie ein anderes.',
  'picture.busy':
    'Gerade sind es zu viele Bilder. Versuchen Sie es in ein paar Minuten noch einmal.',

  'username.title': 'Benutzername',
  'username.text':
    'Mit ihm melden Sie sich an, und jede App, die Sie nutzen, sieht ihn. Eine App, die nach ihm geht, kann Sie für jemand Neues halten. Den alten Namen bekommt ein Jahr lang niemand sonst.',
  'username.unfit':
    'Ihr Benutzername verstößt gegen die Regeln dieses Servers: Man könnte ihn für eine Adresse oder einen Link halten. Wählen Sie einen anderen.',
  'username.label': 'Benutzername',
  'username.submit': 'Benutzernamen ändern',
  'username.done': 'Ihr Benutzername ist geändert. Melden Sie sich von jetzt an mit ihm an.',
  'username.off': 'Auf diesem Server kann nur ein Admin Ihnen einen anderen Benutzernamen geben.',
  'username.same': 'Das ist schon Ihr Benutzername.',
  'username.throttled':
    'Zu viele Versuche. Warten Sie ein paar Minuten und versuchen Sie es dann noch einmal.',
  'username.meanwhile': 'Ihr Benutzername wurde inzwischen geändert. Sehen Sie noch einmal nach.',

  'signOut.title': 'Abmelden?',
  'signOut.text': 'Sie sind angemeldet als {account}.',
  'signOut.fromApp': '{app} möchte Sie abmelden.',
  'signOut.appsStay': 'Apps, denen Sie Zugriff gegeben haben, behalten ihn, bis Sie ihn entfernen.',
  'signOut.submit': 'Abmelden',
  'signOut.cancel': 'Angemeldet bleiben',
  'signOut.refusedTitle': 'Sie sind noch angemeldet',
  'signOut.refusedText':
    'Die App wollte Sie auf eine Weise abmelden, der wir nicht folgen können. Abmelden können Sie sich in Ihrem Konto.',
  'signOut.unfollowedTitle': 'Dieser Abmeldung können wir nicht folgen',
  'signOut.unfollowedText':
    'Sie sind hier nicht angemeldet, es gibt also nichts abzumelden. Gehen Sie zurück zur App, um fortzufahren.',
  'signedOut.title': 'Sie sind abgemeldet',
  'signedOut.text': 'Schließen Sie an einem gemeinsam genutzten Computer auch das Browserfenster.',
  'signedOut.signIn': 'Wieder anmelden',
  'signedOut.back': 'Zurück zu {app}',

  'newPassword.title': 'Wählen Sie ein eigenes Passwort',
  'newPassword.text':
    'Das Passwort von {username} hat Ihnen jemand anderes gegeben. Wählen Sie eines, das nur Sie kennen, dann geht es weiter.',
  'newPassword.submit': 'Speichern und weiter',

  'recover.link': 'Passwort vergessen?',
  'recover.title': 'Passwort vergessen?',
  'recover.text':
    'Geben Sie Ihren Benutzernamen oder Ihre E-Mail-Adresse ein. Gibt es ein Konto, schicken wir einen Link an dessen E-Mail-Adresse.',
  'recover.submit': 'Link senden',
  'recover.back': 'Zurück zur Anmeldung',
  'recover.throttled':
    'Zu viele Anfragen. Warten Sie {wait} und versuchen Sie es dann noch einmal.',
  'recover.sentTitle': 'Sehen Sie in Ihr Postfach',
  'recover.sentText':
    'Gibt es ein Konto für {login}, ist ein Link für ein neues Passwort unterwegs. Er gilt {time}. Nichts da? Sehen Sie im Spam nach oder versuchen Sie es mit Ihrer anderen Adresse.',
  'recover.sentTextPlain':
    'Gibt es ein Konto, ist ein Link für ein neues Passwort unterwegs. Er gilt {time}. Nichts da? Sehen Sie im Spam nach oder versuchen Sie es mit Ihrer anderen Adresse.',
  'recover.offTitle': 'Von hier können keine Links verschickt werden',
  'recover.offText':
    'Dieser Server verschickt keine E-Mails. Bitten Sie seinen Betreiber um ein neues Passwort.',
  'reset.title': 'Neues Passwort wählen',
  'reset.text':
    'Für das Konto {username}. Sie werden überall abgemeldet, und Apps müssen Sie erst wieder fragen.',
  'reset.password': 'Neues Passwort',
  'reset.submit': 'Passwort ändern',
  'reset.deadTitle': 'Dieser Link gilt nicht mehr',
  'reset.deadText':
    'Er wurde verwendet, ist älter als {time}, oder Ihr Konto hat sich seitdem geändert. Sie können einen neuen anfordern.',
  'reset.again': 'Neuen Link anfordern',

  'register.link': 'Konto anlegen',
  'register.or': 'Neu hier?',
  'register.title': 'Konto anlegen',
  'register.toContinue': 'weiter zu {app}',
  'register.text':
    'Geben Sie Ihre E-Mail-Adresse ein. Wir schicken Ihnen einen Link, mit dem es weitergeht.',
  'register.email': 'E-Mail-Adresse',
  'register.submit': 'Link senden',
  'register.have': 'Sie haben ein Konto?',
  'register.signIn': 'Anmelden',
  'register.domain':
    'Hier können sich nur Adressen bestimmter Organisationen registrieren. Verwenden Sie Ihre Adresse von dort.',
  'register.sentTitle': 'Sehen Sie in Ihr Postfach',
  'register.sentText':
    'Eine E-Mail an {email} ist unterwegs. Öffnen Sie den Link darin in diesem Browser. Nichts da? Sehen Sie im Spam nach oder prüfen Sie die Adresse.',
  'register.sentTextPlain':
    'Eine E-Mail ist unterwegs. Öffnen Sie den Link darin in diesem Browser. Nichts da? Sehen Sie im Spam nach oder prüfen Sie die Adresse.',
  'register.offTitle': 'Hier können Sie kein Konto anlegen',
  'register.offText': 'Die Konten legt an, wer diesen Server betreibt. Bitten Sie dort um eines.',
  'register.invitedTitle': 'Konten gibt es auf Einladung',
  'register.invitedText':
    'Wer diesen Server betreibt, kann Sie einladen. Mit dem Link aus der Einladung legen Sie ein Konto an.',
  'finish.title': 'Ihr Konto anlegen',
  'finish.text': 'Ihre E-Mail-Adresse {email} ist durch diesen Link bestätigt.',
  'finish.username': 'Benutzername',
  'finish.usernameHint': 'Sie können sich damit oder mit Ihrer E-Mail-Adresse anmelden.',
  'finish.submit': 'Konto anlegen',
  'finish.deadTitle': 'Dieser Link gilt nicht mehr',
  'finish.deadText':
    'Er wurde verwendet, ist zu alt oder wurde zurückgenommen. Haben Sie Ihr Konto schon angelegt, melden Sie sich einfach an.',
  'finish.signIn': 'Anmelden',

  'emailChange.title': 'E-Mail',
  'emailChange.lead': 'Wohin wir Ihnen schreiben, und worüber.',
  'emailChange.card': 'E-Mail-Adresse',
  'emailChange.cardText':
    'Damit melden Sie sich an und kommen wieder in Ihr Konto. Jetzt ist es {email}.',
  'emailChange.new': 'Neue E-Mail-Adresse',
  'emailChange.password': 'Ihr Passwort',
  'emailChange.submit': 'Link an neue Adresse senden',
  'emailChange.sent':
    'Ein Link ist unterwegs an {email}. Ihre Adresse ändert sich, sobald Sie ihn öffnen.',
  'emailChange.same': 'Das ist schon Ihre Adresse.',
  'emailChange.signInAgain':
    'Bitte melden Sie sich zuerst noch einmal an: abmelden und dann zurückkommen.',
  'emailChange.off':
    'Dieser Server verschickt keine E-Mails, deshalb lässt sich eine neue Adresse nicht bestätigen. Fragen Sie seinen Betreiber.',
  'emailConfirm.title': 'Diese E-Mail-Adresse verwenden?',
  'emailConfirm.text':
    'Sie sind als {username} angemeldet. Dieses Konto bekommt die Adresse {email} statt der bisherigen. Wer dort Mail liest, kann ein neues Passwort für das Konto wählen, und Apps erfahren, dass die Adresse Ihre ist.',
  'emailConfirm.submit': 'Diese Adresse verwenden',
  'emailConfirm.cancel': 'Alles lassen, wie es ist',
  'emailConfirm.doneTitle': 'Ihre E-Mail-Adresse ist geändert',
  'emailConfirm.doneText':
    'Ab jetzt schreiben wir an die neue Adresse. Der alten haben wir Bescheid gegeben.',
  'emailConfirm.deadTitle': 'Dieser Link gilt nicht mehr',
  'emailConfirm.deadText':
    'Er wurde verwendet, ist älter als einen Tag, oder Ihr Konto hat sich seitdem geändert.',
  'emailConfirm.otherTitle': 'Dieser Link gehört zu einem anderen Konto',
  'emailConfirm.otherText':
    'Sie sind als {account} angemeldet, den Link hat ein anderes Konto verlangt. Wenn es Ihres ist, melden Sie sich ab, öffnen Sie den Link noch einmal und melden Sie sich dort an. Wenn Sie nichts davon wissen, tun Sie nichts: Ihre Adresse wird nicht genutzt.',
  'emailConfirm.taken': 'Diese Adresse gehört zu einem anderen Konto.',
  'emailConfirm.account': 'Zu Ihrem Konto',
  'notices.card': 'Worüber wir schreiben',
  'notices.text':
    'Was die Sicherheit Ihres Kontos angeht, melden wir Ihnen immer: ein geändertes Passwort, eine geänderte Adresse, einen neuen Passkey.',
  'notices.new-device': 'Anmeldung mit einem neuen Browser',
  'notices.app-approved': 'Neue App mit Zugriff',
  'notices.submit': 'Speichern',
  'notices.done': 'Gespeichert.',

  'mail.recovery.subject': 'Neues Passwort für {product}',
  'mail.recovery.text':
    'Jemand hat um ein neues Passwort für Ihr Konto {username} bei {host} gebeten. Waren Sie das, wählen Sie hier eines:',
  'mail.recovery.action': 'Neues Passwort wählen',
  'mail.recovery.once': 'Der Link gilt einmal, und nur {time} lang.',
  'mail.recovery.notYou':
    'Waren Sie es nicht, brauchen Sie nichts zu tun: Ihr Passwort bleibt, wie es ist.',
  'mail.registration.subject': 'Bestätigen Sie Ihre E-Mail-Adresse für {product}',
  'mail.registration.text':
    'Jemand möchte mit dieser Adresse ein Konto bei {host} anlegen. Sind Sie das, geht es hier weiter:',
  'mail.registration.action': 'Konto anlegen',
  'mail.registration.once':
    'Der Link gilt einmal, einen Tag lang. Öffnen Sie ihn in dem Browser, in dem Sie begonnen haben, dann kommen Sie dorthin zurück, woher Sie kamen.',
  'mail.registration.notYou':
    'Waren Sie es nicht, brauchen Sie nichts zu tun: Es wird kein Konto angelegt.',
  'mail.registered.subject': 'Sie haben schon ein Konto bei {product}',
  'mail.registered.text':
    'Jemand wollte mit dieser Adresse ein Konto bei {host} anlegen, aber es gibt schon eines: {username}. Waren Sie das, melden Sie sich einfach an.',
  'mail.registered.action': 'Anmelden',
  'mail.registered.forgot': 'Passwort vergessen? Ein neues wählen Sie unter {link}',
  'mail.registered.notYou':
    'Waren Sie es nicht, brauchen Sie nichts zu tun: Niemand hat erfahren, dass Sie ein Konto haben.',
  'mail.emailChange.subject': 'Bestätigen Sie Ihre neue E-Mail-Adresse für {product}',
  'mail.emailChange.text':
    'Jemand, der am Konto {username} bei {host} angemeldet ist, möchte dafür ab jetzt diese Adresse nutzen. Wenn Sie das waren, melden Sie sich dort an und bestätigen Sie es:',
  'mail.emailChange.action': 'Adresse bestätigen',
  'mail.emailChange.once': 'Der Link gilt einmal, einen Tag lang.',
  'mail.emailChange.notYou':
    'Wenn Sie es nicht waren, tun Sie nichts und melden Sie sich nicht über den Link an: Die Adresse wird nicht genutzt.',
  'mail.emailTaken.subject': 'Ihre Adresse bei {product}',
  'mail.emailTaken.text':
    'Jemand wollte diese Adresse für ein anderes Konto bei {host} verwenden, aber sie gehört zu Ihrem Konto {username}. Dort bleibt sie.',
  'mail.emailTaken.note':
    'Waren Sie das, geben Sie zuerst Ihrem Konto {username} eine andere Adresse, oder melden Sie sich mit diesem Konto an.',
  'mail.invitation.subject': 'Einladung zu {product}',
  'mail.invitation.text': 'Sie können ein Konto bei {host} haben. Legen Sie es hier an:',
  'mail.invitation.action': 'Konto anlegen',
  'mail.invitation.once': 'Der Link gilt einmal, eine Woche lang.',
  'mail.invitation.notYou': 'Möchten Sie keines, brauchen Sie nichts zu tun.',
  'mail.notice.toAccount': 'Konto ansehen',
  'mail.notice.toRecover': 'Neues Passwort wählen',
  'mail.notice.optional': 'E-Mails dieser Art können Sie in Ihrem Konto abschalten.',
  'mail.notice.security': 'E-Mails dieser Art schicken wir immer, um Ihr Konto zu schützen.',
  'mail.newDevice.subject': 'Neue Anmeldung in Ihrem Konto bei {product}',
  'mail.newDevice.text':
    'Am {time} hat sich jemand als {username} bei {host} angemeldet, mit einem Browser, den wir noch nicht kannten ({device}){address}.',
  'mail.newDevice.unknown': 'er sagt nicht, welcher',
  'mail.newDevice.from': ', von {address}',
  'mail.newDevice.notYou':
    'Waren Sie das, ist nichts zu tun. Wenn nicht, wählen Sie jetzt ein neues Passwort; damit werden alle anderen abgemeldet.',
  'mail.appApproved.subject': '„{app}“ darf jetzt Ihr Konto bei {product} nutzen',
  'mail.appApproved.text':
    'Am {time} wurde der App „{app}“ erlaubt, Ihr Konto {username} bei {host} zu nutzen.',
  'mail.appApproved.notYou':
    'Waren Sie das, ist nichts zu tun. Wenn nicht, entfernen Sie ihren Zugriff in Ihrem Konto.',
  'mail.passwordChanged.subject': 'Ihr Passwort bei {product} wurde geändert',
  'mail.passwordChanged.text':
    'Das Passwort Ihres Kontos {username} bei {host} wurde am {time} geändert.',
  'mail.passwordChanged.notYou':
    'Waren Sie das, ist nichts zu tun. Wenn nicht, wählen Sie jetzt ein neues.',
  'mail.emailChanged.subject': 'Ihre E-Mail-Adresse bei {product} wurde geändert',
  'mail.emailChanged.text':
    'Ihr Konto {username} bei {host} verwendet jetzt die Adresse {email}. Das wurde am {time} geändert. Dies ist die letzte E-Mail an diese Adresse.',
  'mail.emailChanged.notYou':
    'Waren Sie das nicht, sagen Sie es sofort dem Betreiber von {host}, damit Sie Ihr Konto zurückbekommen.',
  'mail.addressSet.subject': 'Ihr Konto bei {product} nutzt jetzt diese E-Mail-Adresse',
  'mail.addressSet.text':
    'Ein Admin hat Ihrem Konto {username} bei {host} am {time} diese E-Mail-Adresse gegeben. Ab jetzt schreiben wir dorthin, und Sie können sich mit ihr anmelden.',
  'mail.addressSet.notYou':
    'Wenn Sie kein solches Konto haben, sagen Sie es denen, die {host} betreiben.',
  'mail.passwordReset.subject': 'Ein Admin hat Ihr Passwort bei {product} geändert',
  'mail.passwordReset.text':
    'Ein Admin hat Ihrem Konto {username} bei {host} am {time} ein neues Passwort gegeben. Das alte gilt nicht mehr, und Sie sind überall abgemeldet.',
  'mail.passwordReset.notYou':
    'Wenn Sie darum gebeten haben, nennt der Admin Ihnen das neue Passwort. Wenn nicht, wählen Sie jetzt ein eigenes, und fragen Sie bei denen nach, die {host} betreiben.',
  'mail.usernameChanged.subject': 'Ihr Benutzername bei {product} wurde geändert',
  'mail.usernameChanged.text':
    'Der Benutzername Ihres Kontos bei {host} wurde am {time} von {before} in {username} geändert. Melden Sie sich ab jetzt mit dem neuen an.',
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
    'Ihr Konto {username} bei {host} verlangt jetzt Codes einer Authenticator-App, die am {time} eingerichtet wurde.',
  'mail.authenticatorAdded.notYou':
    'Waren Sie das, ist nichts zu tun. Wenn nicht, entfernen Sie sie in Ihrem Konto und wählen Sie ein neues Passwort.',
  'mail.recoveryCodesMade.subject': 'Neue Wiederherstellungscodes für Ihr Konto bei {product}',
  'mail.recoveryCodesMade.text':
    'Am {time} wurden neue Wiederherstellungscodes für Ihr Konto {username} bei {host} erstellt. Die bisherigen gelten nicht mehr.',
  'mail.recoveryCodesMade.notYou':
    'Waren Sie das, ist nichts zu tun. Wenn nicht, wählen Sie ein neues Passwort und erstellen Sie in Ihrem Konto neue Codes.',
  'mail.recoveryCodeUsed.subject':
    'Ein Wiederherstellungscode Ihres Kontos bei {product} wurde verwendet',
  'mail.recoveryCodeUsed.text':
    'Am {time} hat sich jemand mit einem Wiederherstellungscode in Ihrem Konto {username} bei {host} angemeldet. Unbenutzte Codes: {left}.',
  'mail.recoveryCodeUsed.notYou':
    'Waren Sie das, ist nichts zu tun. Wenn nicht, wählen Sie ein neues Passwort und erstellen Sie in Ihrem Konto neue Codes.',
  'mail.secondFactorOff.subject': 'Ihr Konto bei {product} hat keinen zweiten Faktor mehr',
  'mail.secondFactorOff.text':
    'Ihr Konto {username} bei {host} verlangt keinen zweiten Faktor mehr. Das wurde am {time} geändert.',
  'mail.secondFactorOff.notYou':
    'Waren Sie das, ist nichts zu tun. Wenn nicht, wählen Sie ein neues Passwort und richten Sie wieder einen zweiten Faktor ein.',
  'mail.wrongCodes.subject': 'Jemand hat das Passwort Ihres Kontos bei {product}',
  'mail.wrongCodes.text':
    'Mit dem richtigen Passwort Ihres Kontos {username} bei {host} wurden falsche Codes ausprobiert, bisher {count}. Zuletzt am {time}, in einem Browser ({device}){address}.',
  'mail.wrongCodes.notYou':
    'Waren Sie das, ist nichts zu tun. Wenn nicht, kennt jemand Ihr Passwort: Wählen Sie ein neues. Nach 50 falschen Codes in Folge werden dort keine Codes mehr angenommen, sondern nur ein Wiederherstellungscode oder ein Passkey.',
  'mail.tokenReuse.subject': '„{app}“ wurde von Ihrem Konto bei {product} getrennt',
  'mail.tokenReuse.text':
    'Ein Schlüssel der App „{app}“ für Ihr Konto {username} bei {host} wurde am {time} zum zweiten Mal verwendet. Das geschieht, wenn er kopiert wurde oder die App einen Fehler gemacht hat. Zu Ihrer Sicherheit haben wir diesen Zugriff beendet.',
  'mail.tokenReuse.notYou':
    'Melden Sie sich in der App neu an, um sie weiter zu nutzen. Geschieht es wieder, sagen Sie es denen, die sie machen.',

  'expired.title': 'Das hat etwas zu lange gedauert',
  'expired.text':
    'Zu Ihrer Sicherheit muss eine Anmeldung innerhalb einer Stunde fertig sein. {app} hat nichts erfahren.',
  'expired.textPlain':
    'Zu Ihrer Sicherheit muss eine Anmeldung innerhalb einer Stunde fertig sein. Es wurde nichts weitergegeben.',
  'expired.again': 'Noch einmal versuchen',

  'wrongBrowser.title': 'Diese Seite gehört zu einem anderen Browser',
  'wrongBrowser.text':
    'Die Anmeldung wurde in einem anderen Browser oder Fenster begonnen. Gehen Sie zurück zur App und beginnen Sie dort neu.',
  'flowInvalid.title': 'Diese Adresse ist nicht vollständig',
  'flowInvalid.text':
    'Sie wurde unterwegs abgeschnitten oder verändert. Gehen Sie zurück zur App und beginnen Sie neu.',
  'flowUsed.title': 'Diese Anmeldung ist schon abgeschlossen',
  'flowUsed.text':
    'Sie haben sie schon beantwortet. Gehen Sie zurück zur App; fragt sie immer noch, beginnen Sie dort neu.',
  'stale.title': 'Dieses Formular ist veraltet',
  'stale.text':
    'Es war zu lange offen, oder Cookies sind ausgeschaltet. Gehen Sie zurück, laden Sie die Seite neu und versuchen Sie es noch einmal.',
  'crossSite.title': 'Diese Anfrage kam von einer anderen Website',
  'crossSite.text':
    'Zu Ihrer Sicherheit haben wir nichts getan. Öffnen Sie die Seite hier und versuchen Sie es noch einmal.',
  'wrongAddress.title': 'Diese Seite wurde unter der falschen Adresse geöffnet',
  'wrongAddress.text':
    'Sie sind bei {at}, die Adresse dieses Servers ist aber {issuer}. Öffnen Sie ihn dort.',
  'wrongAddress.posted':
    'Sie sind bei {at}, die Adresse dieses Servers ist aber {issuer}. Es wurde nichts geändert. Öffnen Sie die Seite dort und versuchen Sie es noch einmal.',
  'wrongAddress.open': '{issuer} öffnen',
  'wrongAddress.set':
    'Sie betreiben diesen Server, und {at} ist richtig? Setzen Sie dies und starten Sie ihn neu:',
  'tooLarge.title': 'Das ist zu groß',
  'tooLarge.text':
    'Was gesendet wurde, hat mehr Bytes, als diese Seite annimmt. Gehen Sie zurück und wählen Sie eine kleinere Datei.',
  'busy.title': 'Gerade ist viel los',
  'busy.text': 'Bitte versuchen Sie es gleich noch einmal.',

  'error.authorizeTitle': 'Mit der Anfrage der App stimmt etwas nicht',
  'error.authorizeText':
    'Sie können unbesorgt zurückgehen. Es wurde nichts weitergegeben, und mit Ihrem Konto ist alles in Ordnung.',
  'error.reason': 'Was nicht stimmte',
  'error.forDeveloper': 'Für die Entwickler der App',
  'error.code': 'Fehlercode',
  'error.request': 'Anfrage-ID',
  'error.app': 'App',
  'error.sentAddress': 'Die Adresse, die ankam',
  'error.explain': 'Was dieser Fehler bedeutet (englisch)',
  'error.unexpectedTitle': 'Bei uns ist etwas schiefgegangen',
  'error.unexpectedText': 'Es liegt nicht an Ihnen. Bitte versuchen Sie es gleich noch einmal.',
  'error.formTitle': 'Dieses Formular konnte nicht gelesen werden',
  'error.formText':
    'Es wurde nichts geändert. Etwas darin ist kein Text oder viel zu lang. Gehen Sie zurück, sehen Sie es durch und senden Sie es noch einmal.',
  'error.retry': 'Noch einmal versuchen',
  'error.home': 'Zur Startseite',
  'error.signIn': 'Zur Anmeldung',
  'error.account': 'Zu Ihrem Konto',
  'cancelled.title': 'Sie haben abgebrochen',
  'cancelled.text': 'Es wurde nichts weitergegeben. Sie können diese Seite schließen.',
  'notFound.title': 'Hier ist nichts',
  'notFound.text': 'Vielleicht ist die Adresse falsch geschrieben, oder die Seite ist umgezogen.',

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
