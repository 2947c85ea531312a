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
fault-bench-device-denied = Nur ein Administrator darf { $device } selbst lesen.
    .next = Starten Sie dies als Administrator (unter Linux mit sudo), oder messen Sie ohne die Kurve.
fault-bench-no-mapping = Es ist kein verschlüsseltes Laufwerk mit dem Namen { $name } geöffnet.
    .next = Öffnen Sie es zuerst. Sein Name ist, was hinter /dev/mapper/ steht.
fault-bench-tune = Die Einstellung ließ sich nicht ändern: { $name } ist, wie es war.
    .next = Prüfen Sie das Passwort, und ob cryptsetup 2.3.4 oder neuer installiert ist.
fault-bench-save = Der Bericht ließ sich nicht nach { $folder } schreiben.
    .next = Wählen Sie einen Ordner, der Ihnen gehört und Platz hat.
fault-bench-io = Das Laufwerk hat beim Messen einen Fehler gemeldet. Die Testdatei wurde entfernt.
    .next = Ein Laufwerk, das Fehler meldet, geht vielleicht bald kaputt. Machen Sie zuerst eine Sicherungskopie und verschlüsseln Sie es noch nicht.
fault-bench-stopped = Die Messung wurde angehalten. Die Testdatei wurde entfernt.
    .next = Sie können jederzeit noch einmal messen oder ohne Messung weitermachen.
fault-bench-kdf = Es ist nicht genug Arbeitsspeicher frei, um zu messen, wie lange ein Passwort braucht.
    .next = Schließen Sie einige Programme und versuchen Sie es noch einmal.

# Die Messungen in einfachen Worten. Ihre Schlüssel sind die Namen aus CrystalDiskMark.
bench-seq1m-q8t1-read = Einen großen Film vom Laufwerk kopieren
bench-seq1m-q8t1-write = Einen großen Film auf das Laufwerk kopieren
bench-seq1m-q1t1-read = Eine große Datei öffnen
bench-seq1m-q1t1-write = Eine große Datei speichern
bench-rnd4k-q32t1-read = Viele Programme auf einmal
bench-rnd4k-q32t1-write = Viele Programme speichern auf einmal
bench-rnd4k-q32t1-write-wide = Kleines überall auf dem Laufwerk speichern
bench-seq1m-q8t1-write-soft = Auf das Laufwerk kopieren, was sich komprimieren lässt
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

# Wer von beiden den anderen aufhält.
bench-brake-drive = Das Laufwerk ist langsamer als der Prozessor. Von der Verschlüsselung ist kaum etwas zu merken.
bench-brake-both = Laufwerk und Prozessor sind etwa gleich schnell. Beim Kopieren großer Dateien kann die Verschlüsselung ein wenig kosten.
bench-brake-processor = Der Prozessor ist langsamer als das Laufwerk. Beim Kopieren großer Dateien kostet die Verschlüsselung Tempo.
bench-predicted = Erwartet: zwischen { $low } % und { $high } % des Tempos von vorher

bench-compresses = Dieses Laufwerk komprimiert, was es speichert: Komprimierbare Daten wurden { $percent } % schneller geschrieben. Verschlüsselte Daten lassen sich nicht komprimieren, dieser Gewinn geht beim Verschlüsseln also verloren.
bench-compresses-not = Dieses Laufwerk ist mit komprimierbaren Daten nicht schneller. Hier geht beim Verschlüsseln nichts verloren.

# Der Bericht: zuerst in einfachen Worten.
bench-page-title = So schnell ist das Laufwerk
bench-page-title-both = So schnell ist das Laufwerk, vorher und nachher
bench-overall-same = Es ist kein Unterschied messbar.
bench-overall-slower = Manches ist langsamer geworden. Was und wie viel, steht unten.
bench-overall-faster = Nichts ist langsamer geworden.
bench-plain-programs = Programme öffnen
bench-plain-film = Einen großen Film kopieren
bench-plain-battery = Akku
bench-verdict-slower = { $percent } % langsamer (zwischen { $least } % und { $most } %)
bench-verdict-faster = { $percent } % schneller (zwischen { $least } % und { $most } %)
bench-battery-energy = 1 GiB zu lesen braucht { $after } J Energie; vorher waren es { $before } J.
bench-battery-processor = 1 GiB zu lesen braucht { $after } s Zeit des Prozessors; vorher waren es { $before } s.
bench-battery-unknown = Dieser Computer sagt nicht, was der Prozessor dabei tut.
bench-picture-bars = Die acht Werte
bench-picture-curve = Lesetempo vom Anfang des Laufwerks bis zu seinem Ende
bench-picture-dots = Wie lange einzelne Zugriffe dauern
bench-picture-processor = Zeit des Prozessors für jedes GiB
bench-no-curve = Die Kurve wurde nicht gemessen. Ein Administrator kann das mit: latchkey bench disk ORDNER --curve
bench-table = Dasselbe als Tabelle
bench-column-when = Lauf
bench-column-iops = Blöcke je Sekunde
bench-column-latency = Ein Block: die Hälfte ist schneller / einer von hundert ist langsamer
bench-column-predicted = Erwartet
bench-column-place = Stelle auf dem Laufwerk
bench-column-rate = Tempo
bench-column-half = Die Hälfte ist schneller als
bench-column-slow = Einer von hundert ist langsamer als
bench-column-processor = Prozessor
bench-column-energy = Energie
bench-rate = { $rate }
bench-size = { $size }
bench-conditions = Unter welchen Umständen gemessen wurde
bench-different = Auch das war anders und kann einen Teil erklären:
bench-unknown = unbekannt
bench-none = keine
bench-yes = ja
bench-no = nein
bench-by-this-program = durch dieses Programm, wie beim Übungslaufwerk
bench-power-mains = Steckdose
bench-power-battery = Akku
bench-condition-when = Tag
bench-condition-access = Wie nah am Laufwerk
bench-condition-file-size = Testdatei
bench-condition-written = Insgesamt geschrieben
bench-condition-drive = Laufwerk
bench-condition-kernel = Kernel
bench-condition-file-system = Dateisystem
bench-condition-fill = Wie voll es ist
bench-condition-temperature = Temperatur
bench-condition-power = Strom
bench-condition-governor = Regler des Prozessors
bench-condition-scheduler = Scheduler
bench-condition-load = Was der Computer sonst tat (Last)
bench-condition-idle = Laufwerk und Prozessor waren zu Beginn in Ruhe
bench-condition-discard = Kann erfahren, was frei ist (Discard)
bench-condition-trimmed = Hat es gerade erfahren (Trim)
bench-condition-cipher = Verschlüsselung
bench-condition-sector-size = Ihre Sektoren
bench-condition-flags = Ihre Schalter (dm-crypt)
