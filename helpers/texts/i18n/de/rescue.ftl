# Abbilder, die einen Computer starten.

fault-rescue-part-missing = Ein Teil des Systems, das einen Computer startet, fehlt: { $path }.
    .next = Installieren Sie { $package } und versuchen Sie es noch einmal. Es wurde nichts verändert.
fault-rescue-file = { $path } lässt sich nicht lesen.
    .next = Prüfen Sie das Systemlaufwerk. Ist die Datei beschädigt, installieren Sie ihr Paket neu. Es wurde nichts verändert.
fault-rescue-module = Ein Teil des Linux-Kerns ist beschädigt oder auf unbekannte Weise gepackt: { $path }.
    .next = Installieren Sie das Paket des Kerns neu. Es wurde nichts verändert.
fault-rescue-grub-unknown = Den Startlader dieses Systems kennt Latchkey nicht: { $path }.
    .next = Installieren Sie das signierte GRUB der Distribution (grub-efi-amd64-signed). Es wurde nichts verändert.
fault-rescue-program-missing = Ein Programm von Latchkey selbst fehlt: { $path }.
    .next = Installieren Sie Latchkey neu. Es wurde nichts verändert.
fault-rescue-no-uefi = Dieser Computer wurde nicht über UEFI gestartet, und das Startprogramm braucht es.
    .next = Stellen Sie die Firmware auf UEFI, oder verschlüsseln Sie das Laufwerk mit Software. Es wurde nichts geändert.
fault-rescue-layout = Das Abbild ließ sich nicht zusammenstellen.
    .next = Bitte melden Sie das mit den Einzelheiten. Es wurde nichts verändert.
fault-rescue-too-large = Das Abbild braucht { $needed }, und es gibt Platz für { $room }.
    .next = Nehmen Sie einen größeren Stick. Geht es um die Verschlüsselung des Laufwerks selbst, benutzen Sie es ohne Startprogramm oder verschlüsseln Sie es mit Software.
fault-rescue-differs = Was zurückgelesen wurde, ist nicht das, was geschrieben wurde.
    .next = Trauen Sie diesem Datenträger nicht. Nehmen Sie einen anderen.
fault-rescue-uuid-form = Das ist keine UUID.
    .next = Sie hat 32 Ziffern und Buchstaben von a bis f, in fünf Gruppen mit Bindestrichen. Es wurde nichts verändert.
fault-rescue-mount = Die Dateien lassen sich nicht zeigen: Das Dateisystem ist beschädigt oder von einer Art, die der Stick nicht kennt.
    .next = Es wurde nichts verändert. In einer Shell können Sie mehr versuchen.
fault-rescue-program = Ein Programm des Sticks konnte seine Arbeit nicht tun.
    .next = Versuchen Sie es noch einmal oder benutzen Sie eine Shell.
fault-rescue-no-check = Darin ist kein Dateisystem, das der Stick prüfen kann; er hat die Prüfung für ext2, ext3 und ext4.
    .next = Es wurde nichts verändert. Wenn es sich einhängen lässt, kopieren Sie Ihre Dateien herunter.
fault-rescue-no-system = Auf diesem Datenträger liegt kein Linux-System.
    .next = Wählen Sie den, auf dem das System liegt. Es wurde nichts verändert.
fault-rescue-start = Die eigenen Werkzeuge des Systems konnten seinen Start nicht in Ordnung bringen.
    .next = Benutzen Sie eine Shell: Dort lässt sich der Datenträger öffnen, und die Meldungen sind zu lesen.

fault-rescue-program-unfit = Ein Programm passt nicht auf das Abbild: { $path }.
    .next = Installieren Sie sein Paket neu, und auch Latchkey. Es wurde nichts verändert.
fault-rescue-not-a-stick = { $path } ist kein Stick: Es ist eingebaut, das System liegt darauf, oder etwas darauf wird benutzt.
    .next = Wählen Sie einen Stick aus der Liste und schließen Sie alles, was darauf offen ist. Es wurde nichts verändert.
fault-rescue-not-confirmed = Das ist nicht der Name des Sticks. Es wurde nichts geschrieben.
    .next = Tippen Sie den Namen genau so, wie er dasteht, wenn alles auf dem Stick überschrieben werden darf.
fault-rescue-no-image = { $path } ist kein Rettungsstick von Latchkey, oder seine Liste ist nicht zu lesen.
    .next = Machen Sie den Stick neu.

fault-rescue-stale = Der Stick hat nicht die Köpfe von heute.
    .next = Machen Sie ihn neu, mit "latchkey rescue make".

## Das Menü des Rettungssticks

rescue-title = Latchkey-Rettungsstick
rescue-looking = Die Laufwerke werden angesehen ...
rescue-choose = Nummer, oder Pfeile und Eingabetaste:
rescue-enter = Weiter mit der Eingabetaste.
rescue-yes = Ja
rescue-no = Nein
rescue-secret = Passwort oder Wiederherstellungsschlüssel (leer: zurück):
rescue-progress = { $step }: { $percent } %
rescue-keyboard = Tastaturbelegung
rescue-language = English
rescue-shell = Shell
rescue-shell-how = "exit" führt zurück zum Menü. cryptsetup und e2fsck sind da.
rescue-restart = Den Computer noch einmal starten
rescue-off = Ausschalten
rescue-hardware = Laufwerke, die selbst verschlüsseln und jetzt verschlossen sind
rescue-which-secret = Womit?
rescue-state-whole = { $drive } ({ $size }): verschlüsselt, in Ordnung
rescue-state-damaged = { $drive } ({ $size }): verschlüsselt, einer der beiden Köpfe ist BESCHÄDIGT
rescue-state-lost = { $drive } ({ $size }): verschlüsselt, beide Köpfe sind VERLOREN, lassen sich aber neu bauen
rescue-state-converting = { $drive } ({ $size }): UNTERBROCHEN bei { $percent } %
rescue-state-plain = { $drive } ({ $size }): { $content }, nicht verschlüsselt
rescue-state-unknown = { $drive } ({ $size }): nichts Bekanntes
rescue-do-repair = Den beschädigten Kopf reparieren
rescue-do-rebuild = Die Köpfe neu bauen
rescue-do-restore = Den Kopf aus der Sicherung auf dem Stick zurückholen
rescue-do-resume = Dort weitermachen, wo es unterbrochen wurde, bis zum Ende
rescue-do-undo = Zurücknehmen (es ist noch nichts verschlüsselt)
rescue-do-open = Öffnen, ansehen, Dateien herunterkopieren (es wird nichts verändert)
rescue-do-mend = Das Dateisystem prüfen und in Ordnung bringen
rescue-do-start = Den Start des Systems darauf reparieren
rescue-do-unlock = Öffnen, bis der Strom weg ist
rescue-do-give-back = Die Sperre für immer ausschalten (die Daten bleiben)
rescue-do-back = Zurück
rescue-ask-uuid = UUID, die der Datenträger hatte (leer: eine neue; dann muss /etc/crypttab geändert werden):
rescue-ask-restore = Die Sicherung an die Stelle des Kopfes setzen, der da ist?
rescue-ask-undo = Die Verschlüsselung zurücknehmen, auf den Stand davor?
rescue-ask-give-back = Die Sperre des Laufwerks ausschalten? Danach kann es jeder lesen.
rescue-ask-mend = Das Dateisystem prüfen und in Ordnung bringen? Karten und Zählungen werden neu angelegt; wo über eine Datei zu entscheiden wäre, hört es auf.
rescue-ask-start = Soll das System seine initramfs und seinen Starteintrag neu machen?
rescue-ask-copy = Welche Datei oder welcher Ordner soll kopiert werden (leer: nichts)?
rescue-ask-target = Wohin? Es kommt in den Ordner "latchkey-rescued".
rescue-opened = Es ist offen unter { $folder }, nur zum Lesen. Darauf: { $names }
rescue-copying = Es wird kopiert und verglichen ...
rescue-copied = Kopiert. Jede Datei wurde zurückgelesen und verglichen.
rescue-repaired = Fertig. Der Kopf wurde zurückgelesen, und das Passwort öffnet den Datenträger.
rescue-resumed = Fertig: Die Umwandlung ist am Ende angekommen.
rescue-undone = Fertig: Es ist, wie es vorher war.
rescue-unlocked = Offen, bis der Strom weg ist.
rescue-given-back = Fertig. Das Laufwerk ist nicht mehr verschlossen, und seine Daten sind da.
rescue-mending = Das Dateisystem wird geprüft. Bei einem großen Laufwerk dauert das einige Minuten ...
rescue-mended = Fertig. Das Dateisystem wurde geprüft und ist in Ordnung.
rescue-not-mended = Die Prüfung hat Fehler gefunden, bei denen über Dateien zu entscheiden ist. Kopieren Sie zuerst herunter, was Sie brauchen ("Öffnen"). Danach in einer Shell: e2fsck -f { $path } (ein verschlüsselter Datenträger wird dort vorher mit cryptsetup open geöffnet).
rescue-repairing-start = Das System macht seine initramfs und seinen Starteintrag ...
rescue-start-repaired = Fertig. Das System hat seine initramfs und seinen Starteintrag neu gemacht.

## latchkey rescue

rescue-stick = { $path }: { $name }, { $size }
rescue-no-sticks = Es ist kein Stick eingesteckt, der sich benutzen ließe.
rescue-stick-plan =
    Alles auf { $name } ({ $path }, { $size }) wird überschrieben.
    Tippen Sie seinen Namen, wenn Sie das wollen:
rescue-made = { $path }: Der Rettungsstick ist fertig ({ $size }, Sicherungen von Köpfen: { $headers }), und jedes Byte wurde zurückgelesen. Starten Sie den Computer einmal davon, um zu sehen, dass es geht.
rescue-whole = { $path } ist unversehrt: { $files } Dateien, Kern { $kernel }.
rescue-has-header = Kopf von { $uuid }: darauf.
rescue-lacks-header = Kopf von { $uuid }: NICHT darauf.
rescue-stale-header = Kopf von { $uuid }: ALT. Ein Passwort oder Schlüssel wurde seitdem geändert.
