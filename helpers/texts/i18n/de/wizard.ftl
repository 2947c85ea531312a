# Der Assistent: warum es nicht weitergeht, was er zu sagen hat und was schiefgehen kann.

## Warum „Weiter“ nicht geht

reason-blocked-job = Es läuft noch etwas. Weiter geht es, wenn es fertig ist.
reason-blocked-no-target = Wählen Sie zuerst ein Laufwerk oder ein Abbild, oder probieren Sie es am Übungslaufwerk aus.
reason-blocked-check = So, wie es ist, lässt es sich nicht verschlüsseln. Die Liste sagt, warum.
reason-blocked-sleep = Wählen Sie zuerst, wie der Computer schlafen soll.
reason-blocked-conditions = Eine der Bedingungen in der Liste ist noch nicht erfüllt.
reason-blocked-backup = Bitte bestätigen Sie, dass Sie eine Sicherung haben.
reason-blocked-accept = Bitte lesen und bestätigen Sie jeden der Punkte.
reason-blocked-password = Wählen Sie zuerst ein Passwort.
reason-blocked-recovery = Bewahren Sie zuerst den Wiederherstellungsschlüssel auf: auf einem Stick, oder auf Papier und von dort abgetippt.
reason-blocked-rescue = Schreiben Sie die Rettungsdatei, oder sagen Sie, dass Sie darauf verzichten.
reason-blocked-bench = Messen Sie, oder sagen Sie, dass Sie darauf verzichten.
reason-blocked-test-start = Tippen Sie zuerst das Passwort so, wie Sie es bei jedem Start tun werden.
reason-blocked-restart = Nach dem Neustart geht es weiter.
reason-blocked-encrypt = Weiter geht es, wenn die Verschlüsselung fertig ist.
reason-blocked-end = Das ist der letzte Schritt.

## Was der Assistent zu sagen hat

reason-notice-reopened = Das Programm wurde hier geschlossen. Sie können dort weitermachen.
reason-notice-interrupted = Die Verschlüsselung wurde unterbrochen. Was fertig ist, ist sicher, und mit Ihrem Passwort geht es von dort weiter.
reason-notice-paused-outside = Es wurde von einem Terminal aus angehalten („latchkey pause“). Was fertig ist, ist sicher.
reason-notice-password-again = Das Programm wurde geschlossen, bevor der Wiederherstellungsschlüssel aufbewahrt war. Bitte tippen Sie Ihr Passwort noch einmal; es gibt dann einen neuen Wiederherstellungsschlüssel.
reason-notice-test-start-again = Das Programm wurde geschlossen, und Passwörter merkt es sich nicht. Tippen Sie Ihr Passwort noch einmal, dann geht es weiter.
reason-notice-system-restarts = Der Computer wird neu gestartet.
reason-notice-system-goes-off = Der Computer wird ausgeschaltet.
reason-notice-system-undone = Alles ist zurückgenommen, und der Computer ist, wie er war.
reason-notice-system-nothing-staged = Es ist nichts mehr vorbereitet: es wurde zurückgenommen, hier oder in einem Terminal. Der Computer ist, wie er war.
reason-notice-system-expired = Die Vorbereitung hat zu lange gewartet oder ihr Dienst wurde neu gestartet, und sie wurde zurückgenommen. Es wurde nichts geändert. Bitte geben Sie Ihr Passwort noch einmal ein; es gibt einen neuen Wiederherstellungsschlüssel.
reason-notice-system-decrypted = Bei diesem Start wurde alles entschlüsselt. Alle Ihre Dateien sind da.
reason-notice-system-stays-encrypted = Der Rückweg wurde wieder entfernt. Das Laufwerk bleibt verschlüsselt.

reason-method-system = Von diesem Laufwerk läuft das System: es wird verschlüsselt, während Sie arbeiten, nach einem Teststart, der Ihr Passwort beweist.
reason-room-system = Der Teststart macht das Dateisystem ein wenig kleiner, damit der Kopf der Verschlüsselung Platz hat.
reason-system-proven = Alles ist verschlüsselt, und ein Start danach wurde gesehen. Ohne Passwort oder Wiederherstellungsschlüssel liest niemand etwas davon.

fault-wizard-folder-not-a-stick = { $path } liegt nicht auf einem Stick. Wenn dieser Computer nicht startet, kommt niemand an einen Schlüssel, der in ihm liegt.
    .next = Stecken Sie einen Stick ein und wählen Sie ihn, oder schreiben Sie den Schlüssel auf Papier und tippen Sie ihn zurück.

## Der Tag danach

reason-notice-password-changed = Das neue Passwort öffnet das Laufwerk, das alte nicht mehr. Alte Kopien des Headers öffnen sich weiter mit dem alten Passwort: Machen Sie eine neue Kopie und vernichten Sie jene.
reason-notice-password-added = Das neue Passwort öffnet das Laufwerk. Es wurde eben ausprobiert.
reason-notice-key-removed = Das ist weg und öffnet das Laufwerk nicht mehr. Alte Kopien des Headers öffnen sich noch damit: Machen Sie eine neue Kopie und vernichten Sie jene.
reason-notice-new-key = Der neue Wiederherstellungsschlüssel { $keyid } wurde gespeichert, zurückgelesen und hat das Laufwerk geöffnet. Der alte öffnet es nicht mehr: Vernichten Sie alle seine Kopien.
reason-notice-key-opens = Das ist der richtige Schlüssel. { $keyid } öffnet das Laufwerk; das wurde mit dem heutigen Datum vermerkt.
reason-notice-copy-made = Die Kopie des Schlüssels { $keyid } wurde gespeichert, zurückgelesen und hat das Laufwerk geöffnet.
reason-notice-header-saved = Die Kopie des Headers wurde gespeichert und zurückgelesen: { $path }
reason-notice-enrolled = Auch damit öffnet sich jetzt das Laufwerk. Ihr Passwort und der Wiederherstellungsschlüssel gelten weiter, und nach einer Änderung der Firmware wird wieder nach ihnen gefragt.
reason-notice-turned-off = Das Laufwerk ist nicht mehr verschlüsselt. Alles darauf ist, wie es war.
reason-notice-turned-off-files = Das Laufwerk ist nicht mehr verschlüsselt. { $count ->
        [one] { $same } von 1 Datei wurde zurückgelesen und ist
       *[other] { $same } von { $count } Dateien wurden zurückgelesen und sind
    } wie zuvor.
reason-notice-erased = Niemand kann mehr öffnen, was auf dem Laufwerk war, weder mit dem Passwort noch mit einem Wiederherstellungsschlüssel. Vernichten Sie auch alle Kopien des Headers und des Schlüssels.

key-kind-password = Passwort
key-kind-recovery = Wiederherstellungsschlüssel
key-kind-tpm2 = Sicherheitschip dieses Computers (TPM)
key-kind-fido2 = Sicherheitsschlüssel (FIDO2)
key-kind-smart-card = Chipkarte
key-kind-other = etwas, das Latchkey nicht kennt

copy-stick = auf dem Stick { $place }
copy-folder = im Ordner { $place }
copy-paper = auf Papier

reason-copy-not-tried = Zuletzt ausprobiert am { $day }, vor mehr als einem Jahr. Probieren Sie sie aus, damit Sie wissen, dass sie noch gilt.
reason-copy-after-firmware = Die Firmware des Computers wurde geändert, seit diese Kopie am { $day } zuletzt ausprobiert wurde. Dann kann der Computer nach dem Schlüssel fragen: Sehen Sie nach, ob Sie ihn zur Hand haben.
reason-copy-after-tpm = Der Sicherheitschip des Computers ist nicht mehr, wie er war, als diese Kopie am { $day } zuletzt ausprobiert wurde. Der Computer kann nach dem Schlüssel fragen: Sehen Sie nach, ob Sie ihn zur Hand haben.
reason-copy-after-secure-boot = Secure Boot wurde umgestellt, seit diese Kopie am { $day } zuletzt ausprobiert wurde. Der Computer kann nach dem Schlüssel fragen: Sehen Sie nach, ob Sie ihn zur Hand haben.

## Was an einem Passwort schwach ist

reason-password-empty = Es ist noch nichts getippt.
reason-password-too-long = Es ist länger als { $limit } Byte. Mehr nehmen Startbildschirme nicht an.
reason-password-control = Es enthält ein Zeichen, das sich nicht tippen lässt, etwa einen Zeilenumbruch.
reason-password-keyboard = Tasten, die nebeneinanderliegen, werden zuerst probiert.
reason-password-repeats = Dieselben Buchstaben zu wiederholen macht es kaum schwerer zu erraten.
reason-password-sequence = Folgen wie „abc“ oder „6543“ werden zuerst probiert.
reason-password-date = Daten und Jahreszahlen sind leicht zu erraten.
reason-password-word = Ein einzelnes Wort steht in jedem Wörterbuch.
reason-password-name = Namen sind leicht zu erraten.
reason-password-common = Viele Menschen verwenden genau das oder etwas sehr Ähnliches. Es wird zuerst probiert.
reason-password-guessable = Es lässt sich erraten. Besser sind mehrere Wörter, die nicht zusammengehören.

## Was eine Tastatur vor dem Start mit einem Passwort macht

reason-password-layout-non-ascii = Manche seiner Buchstaben oder Zeichen fehlen vielleicht auf der Tastatur vor dem Start, etwa Umlaute, Akzente oder Emoji.
reason-password-layout-letters = A, Q, Z, W, M und Y liegen vor dem Start vielleicht auf anderen Tasten.
reason-password-layout-digits = Ziffern brauchen vor dem Start vielleicht eine andere Taste oder die Umschalttaste.
reason-password-layout-signs = Zeichen wie - / ? liegen auf einer amerikanischen Tastatur auf anderen Tasten.
reason-password-layout-edge-space = Es beginnt oder endet mit einem Leerzeichen, das leicht vergessen wird.

## Was bei einem Laufwerk im Weg steht

fault-volume-mounted = { $path } ist in Gebrauch: Es ist unter { $mounts } eingehängt.
    .next = Schließen Sie, was darauf zugreift, und hängen Sie es aus („Auswerfen“). Versuchen Sie es dann noch einmal. Es wurde nichts verändert.
fault-volume-swap = { $path } dient gerade als Auslagerungsspeicher.
    .next = Schalten Sie den Auslagerungsspeicher ab („swapoff“) und versuchen Sie es noch einmal. Es wurde nichts verändert.
fault-volume-held = { $path } ist ein Teil von { $by }, das in Gebrauch ist.
    .next = Verschlüsseln Sie stattdessen { $by }, oder schließen Sie es zuerst. Es wurde nichts verändert.
fault-volume-partitions = Das ist ein ganzes Laufwerk mit Partitionen darauf.
    .next = Wählen Sie eine seiner Partitionen. Es wurde nichts verändert.
fault-volume-encrypted = Es ist schon verschlüsselt ({ $format }).
    .next = Hier ist nichts zu tun. Vergewissern Sie sich, dass Sie wissen, wo Passwort und Wiederherstellungsschlüssel sind.
fault-volume-interrupted-encrypt = Seine Verschlüsselung wurde begonnen und nicht beendet. Was fertig ist, ist sicher.
    .next = Machen Sie damit weiter: Wählen Sie es im Assistenten, oder rufen Sie „latchkey resume“ auf.
fault-volume-interrupted-decrypt = Seine Entschlüsselung wurde begonnen und nicht beendet. Was fertig ist, ist sicher.
    .next = Machen Sie mit „latchkey resume“ damit weiter und versuchen Sie es danach noch einmal.
fault-volume-interrupted-reencrypt = Ein anderes Programm ändert gerade seine Verschlüsselung und ist nicht fertig.
    .next = Beenden Sie das mit „cryptsetup reencrypt“ und versuchen Sie es dann noch einmal. Es wurde nichts verändert.
fault-volume-hibernated = Hier schläft ein System (Ruhezustand), und sein Speicher liegt auf diesem Laufwerk.
    .next = Wecken Sie dieses System auf und fahren Sie es richtig herunter. Versuchen Sie es dann noch einmal. Es wurde nichts verändert.
fault-volume-member = Es ist ein Teil von etwas Größerem ({ $format }) und lässt sich nicht allein verschlüsseln.
    .next = Verschlüsseln Sie das, was daraus gebildet wird. Es wurde nichts verändert.
fault-volume-external = Ein Teil seines Dateisystems ({ $content }) liegt auf einem anderen Laufwerk.
    .next = Bringen Sie es zuerst auf ein einziges Laufwerk. Es wurde nichts verändert.
fault-volume-too-small = Es ist zu klein: Es hat { $size }, nötig sind mindestens { $needed }.
    .next = Wählen Sie ein größeres. Es wurde nichts verändert.
fault-volume-no-room = Für den Kopf der Verschlüsselung ist kein Platz: Er braucht { $needed } hinter den Daten, und dieses Programm kann ihn nicht schaffen.
    .next = Machen Sie mit einem Partitionsprogramm die Partition um { $needed } größer oder das Dateisystem kleiner. Bei einem Abbild schaffen Sie Platz auf dem Laufwerk, auf dem es liegt. Es wurde nichts verändert.
fault-volume-used-space-unknown = Welche Teile dieses Volumes ({ $content }) frei sind, lässt sich nicht feststellen.
    .next = Lassen Sie alles verschlüsseln: Das dauert länger und verbirgt mehr.
fault-volume-is-recovery-key = Das ist der Wiederherstellungsschlüssel, nicht das Passwort.
    .next = Wenn Sie das Passwort vergessen haben, machen Sie zuerst einen neuen Wiederherstellungsschlüssel und bewahren Sie ihn auf, oder fügen Sie mit „latchkey key add“ ein Passwort hinzu.
fault-wizard-other-key = Auf diesem Blatt steht ein anderer Schlüssel: { $keyid }.
    .next = Nehmen Sie das Blatt mit der Schlüsselkennung, die hier angezeigt wird. Ältere Blätter öffnen dieses Laufwerk nicht mehr.
fault-wizard-key-old = Der Wiederherstellungsschlüssel { $keyid } gehört zu { $path }, ist aber alt: Er öffnet es nicht mehr. Ein neuerer hat ihn ersetzt.
    .next = Vernichten Sie diese Kopie, damit sich niemand auf sie verlässt. Nehmen Sie den neueren; mit dem Passwort macht „latchkey recovery new“ einen weiteren.
fault-wizard-key-other = Der Wiederherstellungsschlüssel { $keyid } gehört zu einem anderen Laufwerk: Er wurde für das mit der UUID { $uuid } gemacht, und { $path } hat { $found }.
    .next = Suchen Sie das Blatt, auf dem dieses Laufwerk steht. Bewahren Sie dieses hier auf: Es öffnet das andere.
fault-wizard-enroll-missing = Dafür wird das Programm systemd-cryptenroll gebraucht, das hier nicht installiert ist.
    .next = Installieren Sie das Paket „systemd-cryptsetup“ (in älteren Systemen gehört es zu „systemd“) und versuchen Sie es noch einmal. Es wurde nichts geändert.
fault-wizard-enroll-failed = Dieser Weg, { $path } zu öffnen, ließ sich nicht einrichten. Das Laufwerk öffnet sich wie bisher.
    .next = Prüfen Sie, ob der Chip in der Firmware eingeschaltet oder der Sicherheitsschlüssel eingesteckt ist, und versuchen Sie es noch einmal. Was systemd-cryptenroll gesagt hat, steht unten.
fault-wizard-not-the-name = Das ist nicht der Name des Laufwerks. Es wurde nichts geändert.
    .next = Tippen Sie den Namen genau so, wie er angezeigt wird.
fault-volume-already-opens = Dieses Passwort öffnet das Laufwerk schon. Es wurde nichts geändert.
    .next = Wählen Sie ein anderes, damit sich das Passwort jeder Person einzeln wegnehmen lässt.
fault-volume-own-keyslot = Das ist genau das Passwort oder der Schlüssel, den Sie eben eingegeben haben. Es wurde nichts geändert.
    .next = Um ihn wegzunehmen, öffnen Sie das Laufwerk mit einem anderen.

## Was in einem Schritt schiefgehen kann

fault-wizard-folder = In { $path } konnte nichts geschrieben werden.
    .next = Wählen Sie einen anderen Ordner, oder prüfen Sie, wem er gehört.
fault-wizard-folder-full = In { $path } ist kein Platz mehr.
    .next = Schaffen Sie dort Platz, oder wählen Sie einen anderen Ordner.
fault-wizard-folder-read-only = { $path } kann nur gelesen werden.
    .next = Suchen Sie am Stick einen Schreibschutzschalter, oder wählen Sie einen anderen Ordner.
fault-wizard-folder-missing = { $path } ist nicht mehr da.
    .next = Stecken Sie den Stick wieder ein, oder wählen Sie einen anderen Ordner.
fault-wizard-folder-on-target = { $path } liegt auf dem Laufwerk, das verschlüsselt werden soll. Was mit eingeschlossen ist, hilft niemandem.
    .next = Wählen Sie einen Ordner auf einem Stick oder auf einem anderen Laufwerk.
fault-wizard-already-running = Latchkey ist schon geöffnet.
    .next = Machen Sie im offenen Fenster weiter, oder schließen Sie es zuerst.
fault-wizard-journal-damaged = Was Latchkey sich vom letzten Mal gemerkt hatte, ließ sich nicht lesen. Es wurde als { $kept } aufgehoben.
    .next = Fangen Sie hier neu an. Lief eine Verschlüsselung, dann wählen Sie dasselbe Laufwerk: Es geht dort weiter, wo es war.
fault-wizard-journal-newer = Zuletzt wurde eine neuere Version von Latchkey benutzt. Was sie sich gemerkt hat, wurde als { $kept } aufgehoben.
    .next = Machen Sie besser mit der neueren Version weiter. Lief eine Verschlüsselung, können Sie auch hier dasselbe Laufwerk wählen.
fault-wizard-password-differs = Die beiden Passwörter sind nicht gleich.
    .next = Tippen Sie zweimal dasselbe Passwort. Sie können es sich anzeigen lassen.
fault-wizard-password-empty = Es wurde kein Passwort getippt.
    .next = Tippen Sie ein Passwort, oder lassen Sie sich eines vorschlagen.
fault-wizard-password-too-long = Das Passwort ist zu lang: Startbildschirme nehmen höchstens 512 Byte an.
    .next = Wählen Sie ein kürzeres. Sechs Wörter sind mehr als genug.
fault-wizard-password-control = Das Passwort enthält ein Zeichen, das sich nicht tippen lässt, etwa einen Zeilenumbruch.
    .next = Tippen Sie es von Hand, statt es einzufügen.
fault-wizard-password-weak = Das Passwort ist zu leicht zu erraten.
    .next = Nehmen Sie mehrere Wörter, die nicht zusammengehören, oder lassen Sie sich eines vorschlagen.
fault-wizard-password-wrong =
    { $tries ->
        [1] Das Passwort stimmt nicht.
        [2] Das Passwort stimmt wieder nicht.
       *[other] Das Passwort stimmt nicht. Das war der { $tries }. Versuch.
    }
    .next = Prüfen Sie die Feststelltaste und die Sprache der Tastatur, und lassen Sie sich das Getippte anzeigen. Sie können es so oft versuchen, wie Sie möchten; verloren geht nichts.
fault-wizard-recovery-typed-wrong =
    { $count ->
        [one] Gruppe { $groups } ist nicht das, was auf dem Blatt steht.
       *[other] Diese Gruppen sind nicht das, was auf dem Blatt steht: { $groups }.
    }
    .next = Vergleichen Sie Buchstabe für Buchstabe. Ist das Blatt selbst falsch, schreiben Sie es noch einmal.
fault-wizard-read-back-differs = Was von { $path } zurückgelesen wurde, ist nicht das, was geschrieben wurde.
    .next = Trauen Sie diesem Stick nicht. Nehmen Sie einen anderen.
fault-wizard-not-now = Das passt nicht zu diesem Schritt.
    .next = Sehen Sie nach, wonach die Seite fragt.
fault-wizard-busy = Es läuft noch etwas.
    .next = Warten Sie, bis es fertig ist, oder halten Sie es an.
fault-wizard-password-needed = Hier wird Ihr Passwort gebraucht: Das Programm wurde inzwischen geschlossen, und Passwörter merkt es sich nicht.
    .next = Tippen Sie Ihr Passwort. Bevor die Verschlüsselung begonnen hat, geht das beim Probestart.
fault-wizard-key-gone = Der Wiederherstellungsschlüssel lässt sich nicht noch einmal zeigen: Das Programm wurde inzwischen geschlossen und behält ihn nicht.
    .next = Die Kopie, die Sie aufbewahrt haben, ist gut. Möchten Sie noch eine, gehen Sie zum Passwort zurück und setzen Sie es neu; dann gibt es einen neuen Wiederherstellungsschlüssel.
fault-wizard-rights-refused = Das Recht, alles anzusehen, wurde nicht gegeben.
    .next = Was sich ohne das Recht sehen ließ, ist zu sehen. Sie können jederzeit noch einmal fragen.
fault-wizard-rights-unavailable = Nach Administratorrechten ließ sich hier niemand fragen.
    .next = Ein Administrator sieht alles im Terminal mit: sudo latchkey status
fault-wizard-target-changed = Das Laufwerk ist nicht mehr das, was es bei der Prüfung war.
    .next = Gehen Sie zur ersten Seite zurück und wählen Sie es noch einmal. Latchkey hat nichts verändert.
fault-wizard-job-broke-off = Das Programm hat einen Fehler gemacht und diese Arbeit abgebrochen. Was bisher geschrieben wurde, ist sicher.
    .next = Versuchen Sie es noch einmal. Geschieht es wieder, melden Sie es bitte.

## Umwandlungen, die in einem anderen Prozess laufen

fault-running-nothing = Es läuft keine Umwandlung von { $path }, soweit Sie das sehen können.
    .next = Läuft sie unter einem anderen Benutzer (mit sudo), dann halten Sie sie ebenso an. Wurde sie schon angehalten, geht es weiter mit: latchkey resume { $path }
fault-running-not-stopped = Die Umwandlung von { $path } wurde gebeten anzuhalten und hat es noch nicht getan.
    .next = Sie hält nach dem Stück an, an dem sie arbeitet. Sehen Sie noch einmal nach mit: latchkey status { $path }
fault-running-unusable = Laufende Umwandlungen sind nicht zu finden.
    .next = Drücken Sie Strg-C in dem Terminal, in dem die Umwandlung läuft.

## Ein Dateisystem, dessen Größenänderung abbrach

reason-file-system-cut-smaller = { $content } wurde gerade für die Verschlüsselung verkleinert, als das abbrach. Keine Datei ist verloren; das Verschlüsseln bringt es in Ordnung und macht weiter.
reason-file-system-cut-larger = { $content } wurde nach dem Entschlüsseln gerade wieder vergrößert, als das abbrach. Keine Datei ist verloren; das Verschlüsseln bringt es vorher in Ordnung.
