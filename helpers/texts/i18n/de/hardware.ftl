# Verschlüsseln durch das Laufwerk selbst, für die Schritte des Assistenten und für „latchkey opal“.

# Bedingungen und Gründe
condition-drive-sleep = Was im Schlaf aus der Sperre wird
reason-opal-2-enterprise = Das tut es nicht: Es hat das Schloss von Server-Laufwerken (TCG Enterprise). Latchkey erkennt es und ändert an einem solchen Laufwerk nichts.
reason-sleep-virtual = Ein Übungslaufwerk schläft nicht.
reason-sleep-shallow = Der Computer schläft so, dass das Laufwerk Strom behält. Es bleibt offen wie der Computer, bis Sie ihn ausschalten.
reason-sleep-kernel = Das Laufwerk verliert im Schlaf den Strom und sperrt sich. Der Kernel des Systems behält, was es wieder öffnet, und der Computer wacht auf wie gewohnt.
reason-sleep-asks = Das Laufwerk verliert im Tiefschlaf (S3) den Strom und sperrt sich, und beim Aufwachen könnte nichts es öffnen. Deshalb wählen Sie unten, wie der Computer mit der Sperre schläft. Wird das Laufwerk zurückgegeben, schläft er wieder wie heute.
reason-sleep-unknown = Wie dieser Computer schläft, ist nicht zu sehen. Wacht er nicht richtig auf, schalten Sie ihn aus, statt ihn schlafen zu lassen.
reason-own-lock-no-start = Das kann es hier nicht: Das System liegt auf diesem Laufwerk, und nichts könnte vor dem Start nach dem Passwort fragen. Verschlüsseln Sie es mit Software.
reason-own-lock-by-service = Das muss es nicht: Von diesem Laufwerk startet kein System. Das laufende System öffnet es.
condition-start-program = Das Programm, das vor dem Start des Systems nach dem Passwort fragt
reason-start-program-there = Alles dafür ist auf diesem Computer. Secure Boot bleibt an.
reason-start-program-missing = Auf diesem Computer lässt es sich nicht zusammenstellen: Es braucht UEFI, ein Debian oder Ubuntu mit seinen signierten Startprogrammen (shim-signed, grub-efi-amd64-signed) und ein installiertes Latchkey. Verschlüsseln Sie das Laufwerk mit Software.
reason-own-lock-seen = Das Laufwerk sperrt sich selbst, und das wurde gesehen: Nach dem Ausschalten war es zu, bis das Passwort es öffnete.
reason-own-lock-prepared = Die eigene Sperre des Laufwerks ist vorbereitet und noch nicht eingeschaltet.
next-own-lock-go-on = Machen Sie weiter: Schalten Sie sie ein, oder geben Sie das Laufwerk zurück, wie es war.
reason-room-unneeded = Es wird kein Platz gebraucht: Das Laufwerk verschlüsselt schon, was darauf liegt, und nichts wird verschoben.
reason-hardware-seconds = Das Laufwerk verschlüsselt alles darauf ohnehin. Es zu sperren dauert Sekunden, gleich wie groß es ist, und kostet keine Geschwindigkeit.
reason-hardware-prepared = Dieses Laufwerk wurde von Latchkey schon vorbereitet. Es geht von dort weiter.
reason-hardware-not-audited = Niemand außer dem Hersteller kann prüfen, wie gut das Laufwerk es macht. Wer ihm weniger traut, wählt den Prozessor.
reason-notice-given-back = Das Laufwerk wurde zurückgegeben, wie es war. Nichts darauf hat sich geändert, und es fragt nach keinem Passwort.
reason-notice-power-off-test-start = Schalten Sie den Computer jetzt aus (nicht neu starten), warten Sie zehn Sekunden und schalten Sie ihn ein. Er fragt nach Ihrem Passwort, bevor das System startet. Öffnen Sie dann dieses Fenster wieder.
reason-notice-power-off = Die Sperre ist eingeschaltet. Sie zählt, wenn sie gesehen wurde: Schalten Sie den Computer aus (nicht neu starten), warten Sie zehn Sekunden, schalten Sie ihn ein, öffnen Sie das Laufwerk und dann dieses Fenster.
reason-notice-test-start-passed = Der Probestart hat geklappt: Das Laufwerk wurde mit Ihrem Passwort geöffnet, bevor das System startete.

fault-hardware-refused = Dieses Laufwerk kann sich nicht selbst verschlüsseln. Die Liste der Bedingungen sagt, warum.
    .next = Verschlüsseln Sie es stattdessen mit dem Prozessor. Es wurde nichts geändert.
fault-hardware-prepared-earlier = Dieses Laufwerk wurde früher vorbereitet, mit einem anderen Passwort.
    .next = Geben Sie jenes Passwort ein. Oder geben Sie das Laufwerk erst zurück: „latchkey opal give-back“.
fault-hardware-not-seen = Nachdem sein Strom weg war, war das Laufwerk nicht, wie es sein soll: Es sperrt sich nicht, oder es zeigt nicht, was es soll. Ihm ist nicht zu trauen.
    .next = Geben Sie das Laufwerk zurück, wobei alles darauf bleibt, und verschlüsseln Sie es mit dem Prozessor.
fault-hardware-both-needs-node = Beides übereinander braucht ein Laufwerk, das das System als Gerät hat. Ein Übungslaufwerk in einer Datei ist keines.
    .next = Wählen Sie für das Übungslaufwerk „hardware“.
fault-hardware-needs-systemd = Dieses System hat keine Dienstverwaltung, die Latchkey kennt (systemd); beim nächsten Start würde also nichts das Laufwerk öffnen. Es wurde nichts gesperrt.
    .next = Verschlüsseln Sie es stattdessen mit dem Prozessor, oder nehmen Sie ein System mit systemd.
fault-hardware-sleep-undecided = Tiefschlaf würde dieses Laufwerk sperren, und noch niemand hat gewählt, wie der Computer stattdessen schlafen soll. Nichts wurde gesperrt.
    .next = Wählen Sie es: auf der Seite mit den Bedingungen, oder auf der Befehlszeile mit „--sleep light“ oder „--sleep never“.
