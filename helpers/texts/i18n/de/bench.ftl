# Die Messung von Laufwerk und Prozessor.

fault-bench-folder-missing = Es gibt keinen Ordner { $folder }.
    .next = Wählen Sie einen Ordner auf dem Laufwerk, das gemessen werden soll.
fault-bench-not-a-folder = { $folder } ist kein Ordner.
    .next = Wählen Sie einen Ordner auf dem Laufwerk, das gemessen werden soll.
fault-bench-too-small = Eine Testdatei von weniger als { $size } sagt nichts über ein Laufwerk aus.
    .next = Wählen Sie eine größere Testdatei. Üblich sind 64 MiB.
fault-bench-no-space = In { $folder } ist nicht genug Platz: Die Messung braucht für kurze Zeit { $needed }.
    .next = Schaffen Sie etwas Platz oder wählen Sie eine kleinere Testdatei. Sie können auch ohne Messung weitermachen.
fault-bench-read-only = In { $folder } kann nichts geschrieben werden, deshalb lässt sich das Laufwerk dort nicht messen.
    .next = Wählen Sie einen Ordner, in den geschrieben werden kann. Sie können auch ohne Messung weitermachen.
fault-bench-denied = Sie dürfen in { $folder } nicht schreiben.
    .next = Wählen Sie einen Ordner auf demselben Laufwerk, der Ihnen gehört.
fault-bench-io = Das Laufwerk hat beim Messen einen Fehler gemeldet. Die Testdatei wurde entfernt.
    .next = Ein Laufwerk, das Fehler meldet, geht vielleicht bald kaputt. Machen Sie zuerst eine Sicherungskopie und verschlüsseln Sie es noch nicht.
fault-bench-stopped = Die Messung wurde angehalten. Die Testdatei wurde entfernt.
    .next = Sie können jederzeit noch einmal messen oder ohne Messung weitermachen.
fault-bench-kdf = Es ist nicht genug Arbeitsspeicher frei, um zu messen, wie lange ein Passwort braucht.
    .next = Schließen Sie einige Programme und versuchen Sie es noch einmal.

# Die Messungen in einfachen Worten. Ihre Schlüssel sind die Namen aus CrystalDiskMark.
bench-seq1m-q1t1-read = Eine große Datei öffnen
bench-seq1m-q1t1-write = Eine große Datei speichern
bench-rnd4k-q1t1-read = Programme starten
bench-rnd4k-q1t1-write = Viele kleine Dinge speichern
bench-latency = Wartezeit auf einen kleinen Block: meist { $usual } µs, bei einem von hundert mehr als { $slow } µs

# Was aus einer Zahl geworden ist.
bench-change-faster = schneller
bench-change-same = kein messbarer Unterschied
bench-change-slower = langsamer

# Wie nah die Messung an das Laufwerk herankam.
bench-access-direct = Am Laufwerk selbst gemessen, am Arbeitsspeicher des Computers vorbei.
bench-access-buffered = Dieses Dateisystem lässt eine Messung nicht am Arbeitsspeicher vorbei. Die Zahlen sind ungenau.
bench-access-memory = Dieser Ordner liegt im Arbeitsspeicher und nicht auf einem Laufwerk. Die Zahlen sagen nichts über ein Laufwerk.
bench-encrypted-here = Jeder Block wurde unterwegs von diesem Programm ver- und entschlüsselt, wie es bei einem verschlüsselten Laufwerk geschieht.
bench-will-write = Die Messung schreibt bis zu { $size } und entfernt sie danach wieder.

# Der Prozessor.
bench-cipher-title = Wie schnell dieser Prozessor verschlüsselt
bench-cipher-rate = Verschlüsselt { $rate } auf einem Kern
bench-cipher-kdf = Wie lange ein Passwort braucht
bench-cipher-unlock = Das Öffnen mit dem Passwort dauert auf diesem Computer { $seconds }
bench-column-cipher = Verfahren
bench-column-key = Schlüssel
bench-column-sector = Sektor
bench-column-code = Code
bench-column-encrypt = Verschlüsseln
bench-column-decrypt = Entschlüsseln
bench-column-test = Messung
bench-column-median = Median
bench-column-range = Langsamste bis schnellste Runde
bench-column-before = Vorher
bench-column-after = Nachher
bench-column-ratio = Nachher ÷ vorher
