# Der Wiederherstellungsschlüssel: was mit ihm schiefgehen kann, und sein Blatt.

# Teil der Sätze weiter unten.
part-recovery-left =
    { $left ->
        [yes] Eine Datei mit dem Schlüssel liegt vielleicht noch dort: { $leftpath }. Bitte löschen Sie sie.
       *[no] Es wurde nichts zurückgelassen.
    }

fault-recovery-no-randomness = Der Computer konnte keinen zufälligen Schlüssel erzeugen.
    .next = Versuchen Sie es in einer Minute noch einmal. Klappt es wieder nicht, starten Sie den Computer neu.
fault-recovery-length = Ein Wiederherstellungsschlüssel hat 64 Buchstaben; hier sind es { $letters }.
    .next = Vergleichen Sie mit dem Blatt: acht Gruppen zu acht Buchstaben. Ein Buchstabe fehlt oder wurde doppelt getippt.
fault-recovery-group-length = Gruppe { $group } hat { $letters } statt 8 Buchstaben.
    .next = Vergleichen Sie Gruppe { $group } Buchstabe für Buchstabe mit dem Blatt.
fault-recovery-letter = „{ $letter }“ in Gruppe { $group } kommt in keinem Wiederherstellungsschlüssel vor.
    .next = Sehen Sie sich Gruppe { $group } noch einmal an. Es gibt nur diese Buchstaben: b c d e f g h i j k l n r t u v.
fault-recovery-check = Diese Gruppen passen nicht zu den Prüfbuchstaben daneben: { $groups }.
    .next = Vergleichen Sie diese Gruppen Buchstabe für Buchstabe mit dem Blatt.
fault-recovery-no-key = Darin ist kein Wiederherstellungsschlüssel.
    .next = Wählen Sie die Datei, deren Name mit „latchkey-recovery“ beginnt, oder tippen Sie den Schlüssel vom Blatt ab.
fault-recovery-two-keys = Darin ist mehr als ein Wiederherstellungsschlüssel, und sie unterscheiden sich.
    .next = Nehmen Sie eine andere Kopie. Wenn Sie keine haben, kopieren Sie jeden Schlüssel in eine eigene Datei und probieren Sie einen nach dem anderen.
fault-recovery-other-id = Der Schlüssel auf diesem Blatt gehört nicht zu der Schlüsselkennung darauf. Die Kennung dieses Schlüssels ist { $keyid }.
    .next = Das Blatt wurde verändert oder aus zweien zusammengesetzt. Nehmen Sie eine andere Kopie und machen Sie ein neues Blatt.
fault-recovery-not-text = { $path } ist kein Blatt mit einem Wiederherstellungsschlüssel.
    .next = Wählen Sie die Textdatei, deren Name mit „latchkey-recovery“ beginnt.
fault-recovery-file-missing = Es gibt keine Datei { $path }.
    .next = Prüfen Sie den Namen und ob der Stick eingesteckt ist.
fault-recovery-file-unreadable = { $path } konnte nicht gelesen werden.
    .next = Ziehen Sie den Stick heraus, stecken Sie ihn wieder ein und versuchen Sie es noch einmal. Klappt es wieder nicht, nehmen Sie eine andere Kopie.
fault-recovery-folder-missing = Es gibt keinen Ordner { $folder }.
    .next = Stecken Sie den Stick ein, öffnen Sie ihn einmal und wählen Sie dann seinen Ordner.
fault-recovery-not-a-folder = { $folder } ist kein Ordner.
    .next = Wählen Sie einen Ordner auf einem Stick. Der Name der Datei wird für Sie gewählt.
fault-recovery-same-drive = { $folder } liegt auf dem Laufwerk, für das dieser Schlüssel ist. Ist das Laufwerk gesperrt, kämen Sie nicht mehr an den Schlüssel. Es wurde nichts geschrieben.
    .next = Stecken Sie einen USB-Stick ein oder schreiben Sie den Schlüssel auf Papier.
fault-recovery-maybe-same-drive = Es ließ sich nicht feststellen, ob { $folder } auf dem Laufwerk liegt, für das dieser Schlüssel ist. Es wurde nichts geschrieben.
    .next = Wählen Sie einen Ordner auf einem USB-Stick oder schreiben Sie den Schlüssel auf Papier. Wenn Sie sicher sind, dass es ein anderes Laufwerk ist, können Sie darauf bestehen.
fault-recovery-read-only = In { $folder } kann nichts geschrieben werden: Der Datenträger ist schreibgeschützt. { part-recovery-left }
    .next = Hat der Stick oder die Karte einen kleinen Schalter für den Schreibschutz, schieben Sie ihn um. Sonst nehmen Sie einen anderen.
fault-recovery-full = In { $folder } ist kein Platz mehr. { part-recovery-left }
    .next = Löschen Sie dort etwas, das Sie nicht mehr brauchen, oder nehmen Sie einen anderen Stick. Ein paar Kilobyte genügen.
fault-recovery-denied = Sie dürfen in { $folder } nicht schreiben. { part-recovery-left }
    .next = Wählen Sie einen Ordner, der Ihnen gehört, oder einen anderen Stick.
fault-recovery-vanished = Der Stick wurde herausgezogen, während der Schlüssel geschrieben wurde, oder er ist defekt. Diese Kopie zählt nicht. { part-recovery-left }
    .next = Stecken Sie ihn wieder ein und versuchen Sie es noch einmal. Klappt es wieder nicht, nehmen Sie einen anderen Stick.
fault-recovery-write-failed = Der Schlüssel konnte nicht in { $folder } geschrieben werden. { part-recovery-left }
    .next = Versuchen Sie es mit einem anderen Stick. Was das System sagt, steht unter „Einzelheiten“.
fault-recovery-differs = Was aus { $folder } zurückgelesen wurde, ist nicht das, was geschrieben wurde. Diese Kopie zählt nicht. { part-recovery-left }
    .next = Auf diesen Stick ist kein Verlass. Nehmen Sie einen anderen.
fault-recovery-not-proven = Der Schlüssel wurde geschrieben und zurückgelesen, aber das Laufwerk ließ sich damit nicht öffnen. Diese Kopie zählt nicht. { part-recovery-left }
    .next = Versuchen Sie es noch einmal. Klappt es wieder nicht, machen Sie einen neuen Wiederherstellungsschlüssel. An Ihrem Laufwerk hat sich nichts geändert.

# Das Blatt selbst. Es ist eine Textdatei; die Sätze werden passend umbrochen.
sheet-title = WIEDERHERSTELLUNGSSCHLÜSSEL
sheet-computer = Computer
sheet-volume = Laufwerk
sheet-uuid = UUID
sheet-date = Erstellt am
sheet-key-id = Schlüsselkennung
sheet-key = Der Schlüssel
sheet-checks = Der Schlüssel besteht aus den acht Gruppen mit Bindestrichen dazwischen, wie in der ersten Zeile. Die zwei Buchstaben hinter jeder Gruppe gehören nicht dazu: Es sind Prüfbuchstaben, an denen beim Abtippen ein Fehler auffällt.
sheet-code = Diesen Code liest Latchkey von einem Scan oder Foto der Seite.
sheet-purpose = Wofür er ist
sheet-purpose-text = Dieser Schlüssel öffnet das Laufwerk, wenn das Passwort vergessen wurde oder nicht mehr funktioniert. Wer diesen Schlüssel und das Laufwerk hat, kann alles darauf lesen. Wer weder den Schlüssel noch das Passwort hat, kann es nie wieder lesen: Niemand kann nachträglich einen zweiten Schlüssel anfertigen.
sheet-keep = Wo Sie ihn aufbewahren
sheet-keep-text = Drucken Sie ihn aus oder legen Sie den Stick zu Hause in eine Schublade, und eine zweite Kopie an einen anderen Ort: zu Ihrer Familie oder in ein Bankschließfach.
sheet-keep-not = Nicht auf diesem Computer, nicht in der Tasche, in der der Computer mitreist, nicht als Foto auf dem Telefon oder in einer E-Mail.
sheet-use = Wie Sie ihn verwenden
sheet-use-start = Wenn der Computer beim Start nach dem Passwort fragt, tippen Sie stattdessen den Schlüssel: kleine Buchstaben, mit den Bindestrichen.
sheet-use-cryptsetup = Von jedem Linux aus, auch ohne Latchkey. Der Befehl fragt nach der Passphrase; tippen Sie den Schlüssel:
sheet-use-systemd = Dasselbe mit systemd:
