# Die Seite für die Verschlüsselung des Systems: BitLocker und FileVault.

window-native-title = { $by } für { $name }
window-native-name-practice = den Übungscomputer
window-native-name-mac = diesen Mac
window-native-by-bitlocker = BitLocker
window-native-by-filevault = FileVault
window-native-by-apfs = Verschlüsselung durch macOS
window-native-lead-bitlocker = Windows verschlüsselt dieses Laufwerk selbst. Sie werden in der Reihenfolge hindurchgeführt, in der nichts verloren geht: zuerst ein Wiederherstellungsschlüssel, den Sie nachweislich haben, dann ein Probestart, dann die Verschlüsselung, während Sie weiterarbeiten.
window-native-lead-filevault = macOS verschlüsselt diesen Mac selbst. Sie werden hindurchgeführt, und der Wiederherstellungsschlüssel wird gespeichert und ausprobiert, bevor sich etwas auf ihn verlässt.
window-native-lead-apfs = macOS verschlüsselt dieses Volume selbst, mit einem eigenen Passwort.
window-native-lead-practice = Das ist ein simulierter Windows-Computer in einer Datei. Er verhält sich wie ein echter; an diesem Computer wird nichts verschlüsselt und nichts neu gestartet.

window-native-look-title = Nachsehen, wie es steht
window-native-look-text = Dieses Programm wurde neu gestartet. Um zu sehen, wie weit es ist, fragt das System Sie vielleicht nach Administratorrechten.
window-native-look-do = Jetzt nachsehen

window-native-conditions = Was angesehen wurde
window-native-refused = Eine Bedingung ist nicht erfüllt, deshalb kann hier nichts begonnen werden. Nichts wurde geändert.
window-native-able = Was das Laufwerk selbst kann
window-native-method-software = Windows verschlüsselt es mit dem Prozessor.
window-native-method-hardware = Das Laufwerk verschlüsselt selbst, und Windows steuert es.
window-native-choices = Andere Wege
window-native-choose-space = Nur verschlüsseln, was benutzt wird
window-native-choose-space-text = Schneller, und richtig für ein neues Laufwerk. Auf einem benutzten bleiben gelöschte Dateien in den Lücken lesbar.
window-native-choose-pin = Vor dem Start von Windows nach einer PIN fragen
window-native-choose-pin-text = Sicherer, wenn jemand den ganzen Computer mitnimmt: Ohne die PIN startet er nicht. Sie tippen sie bei jedem Start.
window-native-choose-hardware = Das Laufwerk selbst verschlüsseln lassen
window-native-choose-hardware-text = Dafür wird eine Regel von Windows gesetzt. Wie gut das Laufwerk es macht, kann nur der Hersteller prüfen.

window-native-key-title = Wiederherstellungsschlüssel
window-native-key-text = Windows fragt danach, wenn es nicht von selbst starten kann. Speichern Sie ihn auf einem Stick, oder schreiben Sie ihn ab und tippen Sie ihn zurück: Es geht weiter, wenn er nachgewiesen ist.
window-native-key-show = Zum Abschreiben zeigen
window-native-key-id = Kennung
window-native-key-shown = Schreiben Sie alle acht Gruppen und die Kennung ab. Tippen Sie dann die Gruppen vom Papier zurück.
window-native-key-typed = Die 48 Ziffern, von Ihrem Papier
window-native-key-check = Getipptes prüfen
window-native-key-blocked = Es werden alle 48 Ziffern gebraucht.
window-native-key-proven = Der Wiederherstellungsschlüssel ist nachgewiesen:
window-native-key-again = Sie haben eine Kopie, die funktioniert. Eine zweite schadet nicht, am besten an einem anderen Ort.

window-native-begin-title = Beginnen
window-native-begin-test = Probestart vorbereiten
window-native-begin-test-text = Noch wird nichts verschlüsselt. Windows probiert den neuen Weg beim Start mit einem Neustart aus; erst wenn der gelingt, fängt es an.
window-native-begin-now = Verschlüsselung beginnen
window-native-begin-close = Abschließen
window-native-begin-blocked-key = Der Wiederherstellungsschlüssel ist noch nicht nachgewiesen.
window-native-blocked-backup = Bitte bestätigen Sie oben, dass Sie eine Sicherung haben.
window-native-pin = Neue PIN, 6 bis 20 Ziffern
window-native-password = Neues Passwort
window-native-repeat = Dasselbe noch einmal
window-native-blocked-secret = Beide Felder werden gebraucht, und in beiden dasselbe.
window-native-login = Das Passwort, mit dem Sie sich anmelden
window-native-login-text = macOS macht den Wiederherstellungsschlüssel, wenn es FileVault einschaltet. Wählen Sie, wo der Schlüssel gespeichert wird; er wird sofort ausprobiert.
window-native-login-blocked = Zuerst wird Ihr Passwort gebraucht.
window-native-apfs-text = Für dieses Volume gibt es keinen Wiederherstellungsschlüssel: Wer das Passwort vergisst, hat alles darauf verloren.

window-native-restart-title = Der Probestart
window-native-restart-text = Speichern Sie, was offen ist, und starten Sie neu. Vorher ist nichts verschlüsselt: Misslingt der Start, startet Windows wie immer und sagt es hier.
window-native-restart-do = Jetzt neu starten
window-native-restart-practice = Übungscomputer neu starten
window-native-restart-by-hand = Starten Sie den Computer so neu, wie Sie es immer tun. Diese Seite öffnet sich von selbst wieder.
window-native-take-back = Zurücknehmen

window-native-encrypting = Wird verschlüsselt
window-native-decrypting = Wird entschlüsselt
window-native-paused = Angehalten
window-native-going-text = Sie können arbeiten, dieses Fenster schließen oder den Computer ausschalten: Es geht von selbst weiter.
window-native-paused-text = Was getan ist, ist sicher. Es geht weiter, wenn Sie es sagen.

window-native-suspended-title = Den Schutz wieder einschalten
window-native-suspended-text = Alles ist verschlüsselt, aber der Schlüssel liegt offen auf dem Laufwerk, oft seit einem Update. Ein Klick schließt es wieder.
window-native-suspended-do = Schutz einschalten
window-native-open-text = Windows hat dieses Laufwerk von sich aus verschlüsselt und wartet darauf, dass jemand den Wiederherstellungsschlüssel verwahrt. Nichts wird neu verschlüsselt.

window-native-protected-title = Es ist geschützt
window-native-protected-text = Ohne Ihr Passwort oder den Wiederherstellungsschlüssel liest es niemand.
window-native-check-title = Öffnet mein Wiederherstellungsschlüssel es noch?
window-native-check-do = Datei des Schlüssels wählen
window-native-copies = Kopien des Wiederherstellungsschlüssels:
window-native-copy-title = Eine weitere Kopie des Wiederherstellungsschlüssels speichern
window-native-new-title = Einen neuen Wiederherstellungsschlüssel machen
window-native-new-text = Der alte öffnet dann nichts mehr, wo auch immer seine Kopien sind.
window-native-off-title = Die Verschlüsselung ausschalten
window-native-off-text = Alles wird wieder entschlüsselt und kann von jedem gelesen werden, der das Laufwerk hat. Ihre Dateien bleiben, wie sie sind.
window-native-off-do = Ausschalten
window-native-off-sure = Ja, alles entschlüsseln
window-native-off-keep = Nein, eingeschaltet lassen

reason-notice-native-taken-back = Was vorbereitet war, wurde wieder weggenommen. Nichts wurde verschlüsselt.
reason-notice-native-key-opens = Das ist der richtige Wiederherstellungsschlüssel: Er öffnet das Laufwerk heute.

fault-native-gone = Der Teil, der mit dem System spricht, hat geendet.
    .next = Sehen Sie noch einmal nach. Kommt er nicht wieder, starten Sie das Programm neu; was begonnen wurde, geht von selbst weiter.
fault-native-restart = Der Computer konnte von hier aus nicht neu gestartet werden.
    .next = Speichern Sie, was offen ist, und starten Sie ihn so neu, wie Sie es immer tun.
fault-native-no-sheet = Diese Datei ist zu groß für die eines Wiederherstellungsschlüssels.
    .next = Wählen Sie die Textdatei, die mit dem Schlüssel gespeichert wurde.
