# Was in diesem Computer steckt, das Urteil mit Grund und nächstem Schritt, und die Bedingungen.

## Fehler

fault-drives-not-yet = Die Laufwerke von { $system } anzusehen ist noch nicht gebaut.
    .next = Abbilddateien und das Übungslaufwerk gehen auch hier.
fault-drives-unreadable = Die Liste des Systems ließ sich nicht lesen ({ $path }).
    .next = Versuchen Sie es als Administrator noch einmal. In einem Container kann sie mit Absicht verborgen sein.
fault-drives-unknown-device = In der Laufwerksliste des Systems gibt es { $path } nicht.
    .next = Falls es herausgezogen wurde, stecken Sie es wieder ein und sehen Sie noch einmal nach.

## Warum ein Datenträger so beurteilt wird

reason-needs-rights = Um es anzusehen, braucht es Administratorrechte.
reason-needs-rights-noted = Um es anzusehen, braucht es Administratorrechte. Das System hat vermerkt, dass { $content } darauf liegt; ob es geschützt ist, sagt das nicht.
reason-not-readable = Es ließ sich nicht lesen: Das Laufwerk meldete einen Fehler, oder ein anderes Programm sperrt es.

reason-luks2 = Alles darauf ist verschlüsselt ({ $cipher }). Ohne das Passwort oder den Wiederherstellungsschlüssel liest es niemand.
reason-luks2-one-copy = Alles darauf ist verschlüsselt, aber eine der beiden Kopien seines Kopfes ist beschädigt. Geht auch die andere verloren, sind die Daten verloren.
reason-luks2-both = Alles darauf ist verschlüsselt, vom Laufwerk selbst und von diesem Computer ({ $cipher }).
reason-luks2-by-drive = Es ist so eingerichtet, dass das Laufwerk selbst verschlüsselt. Wie gut es das tut, kann niemand prüfen.
reason-luks-header-only = Das ist nur der Kopf eines verschlüsselten Datenträgers ({ $cipher }). Die Daten liegen woanders, und ohne diesen Kopf und sein Passwort liest sie niemand.
reason-luks1 = Alles darauf ist verschlüsselt, im älteren Format LUKS1 ({ $cipher }).
reason-luks1-converting = Eine Umwandlung des älteren Formats LUKS1 wurde unterbrochen. So lässt es sich nicht öffnen.
reason-luks-damaged = Es war verschlüsselt, und der Kopf, der zum Öffnen nötig ist, ist beschädigt.
reason-luks-newer = Es ist auf eine Weise verschlüsselt, die neuer ist als dieses Programm.
reason-luks-no-keyslot = Es ist verschlüsselt, und kein Passwort öffnet es: In seinem Kopf ist kein Schlüssel mehr.
reason-luks-unclear = Es ist teilweise oder auf ungewöhnliche Weise verschlüsselt. Ob alles geschützt ist, lässt sich nicht sagen.
reason-null-cipher = Es sieht verschlüsselt aus, aber sein Verfahren ändert nichts: Wer das Laufwerk hat, liest alles.
reason-converting-encrypt = { $percent } % davon sind verschlüsselt. Den Rest kann noch lesen, wer das Laufwerk hat.
reason-converting-decrypt = Es wird gerade entschlüsselt: { $percent } % davon kann lesen, wer das Laufwerk hat.
reason-converting-reencrypt = Es ist verschlüsselt, und sein Schlüssel wird gerade gewechselt ({ $percent } % fertig).

reason-bitlocker = Es ist mit BitLocker verschlüsselt. Ob es im Augenblick wirklich einen Schlüssel verlangt, kann nur Windows sagen.
reason-bitlocker-clear-key = Es ist mit BitLocker verschlüsselt, aber der Schutz ist ausgesetzt: Der Schlüssel liegt offen neben den Daten.
reason-bitlocker-whole = Alles darauf ist mit BitLocker verschlüsselt ({ $cipher }), und ohne Geheimnis öffnet es nichts.
reason-bitlocker-plain = Es wurde für BitLocker vorbereitet, aber noch ist nichts darauf verschlüsselt.
reason-bitlocker-encrypting = BitLocker verschlüsselt es gerade: { $percent } % sind fertig. Den Rest kann noch lesen, wer das Laufwerk hat.
reason-bitlocker-decrypting = BitLocker entschlüsselt es gerade: { $percent } % davon kann lesen, wer das Laufwerk hat.
reason-bitlocker-converting = BitLocker hat begonnen, es umzuwandeln, und ist nicht fertig. Einen Teil kann lesen, wer das Laufwerk hat.
reason-filevault-whole = Alles darauf ist mit FileVault verschlüsselt ({ $cipher }).
reason-filevault-converting = FileVault hat begonnen, es umzuwandeln, und ist nicht fertig. Einen Teil kann lesen, wer das Laufwerk hat.
reason-corestorage-plain = Es ist ein Mac-Volume ohne FileVault. Wer das Laufwerk hat, liest alles darauf.
reason-apfs-encrypted = Seine Volumes sind verschlüsselt. Ob man ein Passwort braucht, um sie zu öffnen, kann nur der Mac sagen: Einer ohne FileVault öffnet sich von selbst.
reason-apfs-partly = Einige seiner Volumes sind verschlüsselt, andere nicht.
reason-apfs-plain = Keines seiner Volumes ist verschlüsselt. Wer das Laufwerk hat, liest alles darauf.
reason-apfs-converting = Eines seiner Volumes ist halb verschlüsselt.
reason-other-encryption = Es ist vielleicht von einem anderen System verschlüsselt ({ $content }). Das kann nur dieses System sagen.
reason-self-encrypting = Diese Art Dateisystem ({ $content }) kann selbst verschlüsseln. Ob es das tut, lässt sich von außen nicht sagen.
reason-plain-dm-crypt = Es ist ohne Kopf verschlüsselt ({ $cipher }). Geschlossen sieht es aus wie leeres Rauschen: Formatieren Sie es nie aus Versehen.
reason-detached-header = Es ist verschlüsselt, und sein Kopf liegt woanders ({ $cipher }). Geschlossen sieht es wie leeres Rauschen aus: Formatieren Sie es nie aus Versehen.
reason-plain-dm-crypt-unseen = Es ist als verschlüsselt ohne Kopf geöffnet. Mit welchem Verfahren, sieht nur ein Administrator.

reason-plain = Es ist nicht verschlüsselt. Wer das Laufwerk hat, liest alles darauf.
reason-plain-leftover = Es ist nicht verschlüsselt. Der Rest einer älteren Verschlüsselung liegt noch darauf und kann Programme verwirren.
reason-plain-folders = Es ist nicht als Ganzes verschlüsselt. Ordner darauf können einzeln verschlüsselt sein (fscrypt); welche, lässt sich von außen nicht sagen.
reason-encrypted-folder = Es ist ein Ordner, dessen Dateien einzeln verschlüsselt sind ({ $content }). Was darum herum liegt, ist es nicht.
reason-windows-hibernated = Es ist nicht verschlüsselt, und ein Windows, das schläft (Ruhezustand oder Schnellstart), hat seinen Arbeitsspeicher darauf abgelegt.
reason-for-starting = Es ist nicht verschlüsselt. Es ist nur zum Starten des Computers da und muss deshalb lesbar sein.
reason-swap = Ein Auslagerungsbereich bewahrt Stücke von allem auf, was offen war, auch Passwörter, und er ist nicht verschlüsselt.
reason-hibernated = Hier liegt der Speicher eines schlafenden Systems, und er ist nicht verschlüsselt.

reason-member-inactive = Es ist Teil von etwas Größerem ({ $content }), das nicht aktiv ist. Was darin ist, lässt sich nicht sagen.
reason-member-protected = Es ist Teil von etwas Größerem, und alles, was daraus gemacht ist, ist verschlüsselt.
reason-member-plain = Es ist Teil von etwas Größerem, und nichts davon ist verschlüsselt.
reason-member-partly = Es ist Teil von etwas Größerem, und manches davon ist nicht verschlüsselt.
reason-member-converting = Es ist Teil von etwas Größerem, und manches davon ist halb verschlüsselt.
reason-member-unclear = Es ist Teil von etwas Größerem, und nicht alles davon ist zu sehen.
reason-partitions = Es enthält Partitionen. Jede von ihnen wird für sich beurteilt.
reason-unclear = Es enthält ein beschädigtes Dateisystem oder Spuren von mehreren. Was darauf ist, lässt sich nicht sicher sagen.
reason-blank = Es enthält nichts als Nullen. Noch gibt es nichts zu schützen.
reason-looks-random = Es enthält nichts Bekanntes und sieht wie Rauschen aus: ein Laufwerk von VeraCrypt, eine Verschlüsselung ohne Kopf oder ein gelöschtes Laufwerk.
reason-nothing-known = Es enthält nichts Bekanntes. Es kann leer sein oder spurlos verschlüsselt (VeraCrypt).

## Warum ein Laufwerk so beurteilt wird

reason-drive-empty = Es ist nichts darauf, was sich beurteilen ließe.
reason-drive-protected = Alles darauf ist verschlüsselt.
reason-drive-protected-starting = Alle Daten darauf sind verschlüsselt. Lesbar ist nur der kleine Teil, der zum Starten gebraucht wird, wie immer.
reason-drive-converting = Einer seiner Datenträger ist halb verschlüsselt.
reason-drive-suspended = Der Schutz eines seiner Datenträger ist ausgesetzt.
reason-drive-partly = { $protected } von { $count } Datenträgern darauf sind verschlüsselt. Die anderen kann lesen, wer das Laufwerk hat.
reason-drive-readable = Mindestens einen seiner Datenträger kann lesen, wer das Laufwerk hat.
reason-drive-locked = Alles darauf ist verschlossen. Nicht alles davon lässt sich von hier aus beurteilen.
reason-drive-unknown = Nicht alle seine Datenträger ließen sich beurteilen.

## Warum eine Stelle, die auf mehreren Geräten liegt, so beurteilt wird

reason-beneath-protected = Alle { $count } Geräte, auf denen es liegt, sind verschlüsselt.
reason-beneath-converting = Eines der Geräte, auf denen es liegt, ist halb verschlüsselt.
reason-beneath-suspended = Der Schutz eines der Geräte, auf denen es liegt, ist ausgesetzt.
reason-beneath-partly = Es liegt auf { $count } Geräten, von denen { $protected } verschlüsselt sind. Was auf den anderen ist, kann lesen, wer sie hat.
reason-beneath-plain = Es liegt auf { $count } Geräten, und mindestens eines davon ist nicht verschlüsselt.
reason-beneath-unknown = Es liegt auf { $count } Geräten, und nicht alle lassen sich beurteilen.

## Warum der Computer so beurteilt wird

reason-computer-protected = Jede Stelle auf diesem Computer, an der Ihre Daten liegen können, ist verschlüsselt.
reason-computer-memory-open = Ihre Dateien sind verschlüsselt, aber Stücke davon liegen offen im Auslagerungsbereich oder im Arbeitsspeicher eines schlafenden Systems.
reason-computer-partly = { $open } von { $count } Stellen, an denen Ihre Daten liegen können, kann lesen, wer den Computer hat.
reason-computer-open = Nichts Wichtiges ist verschlüsselt: { $open } von { $count } Stellen, an denen Ihre Daten liegen können, kann lesen, wer den Computer hat.
reason-computer-removable-open = Die eigenen Laufwerke des Computers sind verschlüsselt, aber eines, das man abziehen kann, ist es nicht.
reason-computer-removable-unknown = Die eigenen Laufwerke des Computers sind verschlüsselt. Von einem, das man abziehen kann, ist nichts bekannt.
reason-computer-converting = Eine der Stellen, an denen Ihre Daten liegen, ist halb verschlüsselt.
reason-computer-suspended = Der Schutz einer der Stellen, an denen Ihre Daten liegen, ist ausgesetzt.
reason-computer-locked = Jede Stelle ist verschlüsselt oder geschlossen. Nicht alle lassen sich von hier aus beurteilen.
reason-computer-needs-rights = Ohne Administratorrechte ließ sich nicht alles ansehen.
reason-computer-unknown = Nicht jede Stelle, an der Ihre Daten liegen können, ließ sich beurteilen.
reason-computer-nothing = Es wurde keine Stelle gefunden, an der Ihre Daten liegen könnten.

## Was jemand bekommt, der das Laufwerk in der Hand hat

gets-nothing = Wer das Laufwerk nimmt, bekommt Rauschen. Ohne Passwort oder Schlüssel lässt sich nichts davon lesen.
gets-nothing-by-drive = Wer das Laufwerk nimmt, muss an dessen eigenem Schloss vorbei. Taugt das etwas, lässt sich nichts lesen.
gets-nothing-there = Wer das Laufwerk nimmt, bekommt nichts, weil nichts darauf ist.
gets-everything = Wer das Laufwerk nimmt, liest jede Datei darauf, ohne irgendein Passwort. Ein Passwort zum Anmelden hilft nicht.
gets-everything-and-memory = Wer das Laufwerk nimmt, liest jede Datei darauf und alles, was offen war, als der Computer schlafen ging, Passwörter eingeschlossen.
gets-some = Wer das Laufwerk nimmt, liest ohne irgendein Passwort, was nicht verschlüsselt ist.
gets-rest = Wer das Laufwerk jetzt nimmt, liest den Teil, der nicht verschlüsselt ist.
gets-old-key = Wer das Laufwerk nimmt, braucht wie zuvor das alte oder das neue Passwort.
gets-key-beside = Wer das Laufwerk nimmt, findet den Schlüssel neben den Daten und liest alles.
gets-memory = Wer das Laufwerk nimmt, findet Stücke von dem, was offen war: Texte, Passwörter, vielleicht Schlüssel.
gets-names = Wer das Laufwerk nimmt, bekommt Zahl und Größe der Dateien, vielleicht ihre Namen, aber nichts von dem, was darin steht.
gets-outside-folders = Wer das Laufwerk nimmt, liest alles außerhalb der verschlüsselten Ordner.
gets-start-files = Wer das Laufwerk nimmt, bekommt keine Ihrer Dateien. Wer es eine Weile unbemerkt hat, könnte ändern, wie der Computer startet.
gets-header = Wer diese Datei bekommt, kann Passwörter probieren, hat aber keine Daten.
gets-removable = Wer das Laufwerk nimmt, das man abziehen kann, liest jede Datei darauf.
gets-unknown = Was jemand bekäme, der das Laufwerk nimmt, lässt sich nicht sagen.

## Stellen, an denen Daten liegen können

place-system = Das System
place-data = Daten
place-swap = Auslagerungsbereich
place-hibernation = Arbeitsspeicher des schlafenden Systems
place-closed = Ein Datenträger, der nicht offen ist
place-removable = Ein Laufwerk, das man abziehen kann
place-start = Zum Starten des Computers

## Was als Nächstes zu tun ist

next-nothing = Es ist nichts zu tun.
next-keep-key = Nichts zu tun. Bewahren Sie den Wiederherstellungsschlüssel an einem sicheren Ort auf, nicht beim Computer.
next-encrypt = Verschlüsseln Sie es jetzt.
next-unmount-and-encrypt = Werfen Sie es aus oder hängen Sie es aus, dann verschlüsseln Sie es.
next-encrypt-system = Von ihm läuft Ihr System. Es lässt sich verschlüsseln, während Sie arbeiten, nach einem Neustart; in einem Terminal mit: latchkey encrypt /
next-encrypt-swap = Lassen Sie das System seinen Auslagerungsbereich bei jedem Start mit einem neuen Schlüssel verschlüsseln, oder schalten Sie ihn ab und verschlüsseln Sie den Datenträger.
next-encrypt-member = Verschlüsseln Sie die Datenträger, die daraus gemacht sind.
next-wake-and-shut-down = Starten Sie dieses System, lassen Sie es aufwachen und fahren Sie es richtig herunter.
next-backup-and-encrypt = Kopieren Sie die Dateien woandershin, dann verschlüsseln Sie es neu.
next-resume = Machen Sie weiter: Die Umwandlung geht dort weiter, wo sie stehen blieb.
next-resume-cryptsetup = Beenden Sie es mit dem Programm, das es begonnen hat (cryptsetup).
next-repair-header = Schreiben Sie nichts darauf. Reparieren Sie jetzt den Kopf, oder stellen Sie ihn aus einer Sicherung wieder her.
next-restore-header = Stellen Sie den Kopf aus einer Sicherung wieder her, wenn es eine gibt.
next-clear-leftover = Entfernen Sie den Rest der älteren Verschlüsselung, bevor sonst etwas damit geschieht.
next-newer-program = Nehmen Sie eine neuere Version dieses Programms oder cryptsetup.
next-look-with-cryptsetup = Sehen Sie es mit „cryptsetup luksDump“ an.
next-bitlocker-resume = Setzen Sie den Schutz in Windows fort: Systemsteuerung, BitLocker, „Schutz fortsetzen“.
next-ask-windows = Sehen Sie in Windows nach: Systemsteuerung, BitLocker.
next-ask-its-system = Sehen Sie in dem System nach, das es gemacht hat.
next-bitlocker-wait = Lassen Sie Windows das zu Ende bringen: Systemsteuerung, BitLocker.
next-bitlocker-on = Schalten Sie BitLocker in Windows ein, und sehen Sie noch einmal nach.
next-mac-wait = Lassen Sie den Mac das am Strom zu Ende bringen.
next-mac-filevault = Schalten Sie FileVault ein: Systemeinstellungen, Datenschutz & Sicherheit.
next-keep-header = Bewahren Sie den Kopf und eine Kopie davon sicher auf: Ohne ihn sind die Daten verloren.
next-encrypt-whole = Verschlüsseln Sie den ganzen Datenträger, damit nichts am richtigen Ordner hängt.
next-encrypt-rest = Verschlüsseln Sie auch die Geräte, die noch nicht verschlüsselt sind.
next-look-at-places = Sehen Sie die Stellen unten einzeln an.
next-as-administrator = Sehen Sie als Administrator noch einmal nach.
next-check-drive = Prüfen Sie das Kabel, schließen Sie andere Programme, die es benutzen, und sehen Sie noch einmal nach.
next-check-file-system = Lassen Sie das Dateisystem von seinem eigenen System prüfen, und sehen Sie noch einmal nach.
next-activate-member = Aktivieren Sie es, dann sehen Sie noch einmal nach.
next-look-inside = Sehen Sie die Datenträger an, die daraus gemacht sind.
next-look-at-volumes = Sehen Sie seine Datenträger einzeln an.
next-choose-partition = Wählen Sie eine seiner Partitionen.
next-think-of-veracrypt = Wenn Sie VeraCrypt oder Ähnliches benutzen, ist es vielleicht eines seiner Laufwerke: Öffnen Sie es dort. Formatieren Sie es nie, bevor Sie sicher sind.

## Die Bedingungen und wie sie ausfielen

condition-readable = Es lässt sich lesen
condition-not-in-use = Nichts benutzt es
condition-writable = Es lässt sich beschreiben
condition-one-volume = Es ist ein einzelner Datenträger
condition-not-encrypted = Es ist noch nicht verschlüsselt
condition-file-system-known = Das Dateisystem ist bekannt
condition-file-system-clean = Das Dateisystem ist in Ordnung
condition-large-enough = Es ist groß genug
condition-room = Es ist Platz für den Kopf
condition-aes-instructions = Der Prozessor ist schnell mit AES
condition-memory = Es ist genug Speicher da
condition-power = Der Strom reicht
condition-hardware-encryption = Die eigene Verschlüsselung des Laufwerks

reason-can-be-read = Es ließ sich ohne Schwierigkeiten lesen.
reason-can-be-written = Es ist nicht schreibgeschützt.
reason-does-not-matter = Das ist gleichgültig, solange eine andere Bedingung nicht erfüllt ist.
reason-could-not-look = Es ließ sich nicht ansehen.
reason-read-only = Es ist schreibgeschützt. Suchen Sie einen Schalter am Laufwerk, oder machen Sie die Datei beschreibbar.

reason-free = Nichts ist davon eingehängt, und nichts anderes hält es fest.
reason-mounted = Es ist eingehängt unter { $place }. Schließen Sie, was es benutzt, dann werfen Sie es aus oder hängen Sie es aus.
reason-used-as-swap = Es wird als Auslagerungsbereich benutzt. Schalten Sie das zuerst ab.
reason-used-by-system = Das laufende System liegt darauf. Diese Version verschlüsselt Laufwerke, die nicht benutzt werden.
reason-held = { $holder } ist daraus gemacht. Schließen Sie das zuerst.

reason-whole-drive = Es ist ein ganzes Laufwerk ohne Partitionen. Das geht, aber Windows nennt es „nicht initialisiert“ und bietet an, es zu überschreiben: Lehnen Sie das immer ab.
reason-one-volume = Es ist ein einzelner Datenträger.
reason-member = Es ist Teil von etwas Größerem ({ $content }). Verschlüsseln Sie die Datenträger, die daraus gemacht sind.

reason-no-encryption-found = Es wurde keine Verschlüsselung darauf gefunden.
reason-encrypted-already = Es ist schon verschlüsselt ({ $content }).
reason-conversion-begun = Eine Umwandlung hat darauf begonnen. Machen Sie damit weiter.
reason-leftover-header = Der Rest einer älteren Verschlüsselung liegt darauf. Er muss zuerst entfernt werden, damit ihn niemand für die richtige hält.

reason-file-system-known = Es ist { $content }, und seine Größe wurde aus seinen eigenen Angaben gelesen.
reason-file-system-unknown = Was darauf ist, ist nicht bekannt. Es lässt sich verschlüsseln, wie es ist, aber niemand kann prüfen, ob es in Ordnung ist.
reason-file-system-elsewhere = Ein Teil dieses Dateisystems ({ $content }) liegt auf einem anderen Laufwerk. Es lässt sich nicht allein umwandeln.
reason-file-system-not-whole = Das ist nur ein Teil eines Dateisystems ({ $content }), oder sein Ende fehlt.
reason-nothing-to-keep = Es ist leer.
reason-no-file-system = Es gibt kein Dateisystem, das sich prüfen ließe.
reason-file-system-clean = { $content } wurde richtig geschlossen und weiß von keinem Fehler.
reason-file-system-silent = { $content } vermerkt nicht, ob es richtig geschlossen wurde.
reason-file-system-mounted = { $content } ist gerade offen, deshalb lässt sich das noch nicht sagen.
reason-file-system-not-closed = { $content } wurde nicht richtig geschlossen. Hängen Sie es einmal ein und wieder aus, oder lassen Sie es prüfen.
reason-file-system-errors = { $content } hat Fehler vermerkt, wie sie zum Beispiel ein Stromausfall mitten in einer Größenänderung hinterlässt. Lassen Sie es zuerst prüfen und reparieren; „latchkey encrypt“ in einem Terminal bietet das an.
reason-windows-sleeps = Windows schläft darauf (Ruhezustand oder Schnellstart) und würde weiterschreiben. Starten Sie Windows und fahren Sie es mit gedrückter Umschalttaste herunter.

reason-large-enough = Es hat { $size }.
reason-too-small = Es hat { $size }, und { $needed } sind nötig.

reason-room-gap = Hinter den Daten ist eine Lücke von mindestens { $needed }.
reason-room-grow = Die Abbilddatei wächst um { $needed }.
reason-room-shrink = Das Dateisystem ({ $content }) wird zuerst um { $needed } verkleinert.
reason-room-tight = Das Dateisystem ({ $content }) muss um { $needed } kleiner werden, und { $used_size } sind belegt. Das wird eng: Löschen Sie besser zuerst etwas.
reason-room-disk-full = Die Abbilddatei muss um { $needed } wachsen, und neben ihr sind nur { $free } frei.
reason-room-cannot-shrink = Hinter den Daten sind { $needed } nötig, und nichts kann { $content } verkleinern. Machen Sie die Partition um so viel größer, oder kopieren Sie die Dateien auf einen neuen verschlüsselten Datenträger.
reason-room-not-known = Hinter den Daten sind { $needed } nötig, und wo die Daten enden, lässt sich nicht sagen. Machen Sie die Partition um so viel größer.

reason-aes-there = { $processor } hat Befehle für AES.
reason-aes-missing = { $processor } hat keine Befehle für AES. Die Verschlüsselung geht, aber Lesen und Schreiben werden langsamer.
reason-aes-not-seen = Ob { $processor } Befehle für AES hat, war nicht zu sehen.
reason-memory-enough = Es sind { $size } da. Aus einem Passwort einen Schlüssel zu machen braucht bis zu 1 GB; das macht Raten teuer.
reason-memory-small = Es sind nur { $size } da. Aus dem Passwort einen Schlüssel zu machen wird weniger Speicher brauchen; das macht Raten etwas billiger.
reason-memory-not-seen = Wie viel Speicher da ist, war nicht zu sehen.
reason-power-mains = Der Computer hängt am Strom.
reason-power-no-battery = Der Computer hat keinen Akku und läuft am Strom. Eine Unterbrechung schadet nicht: Die Verschlüsselung geht danach weiter.
reason-power-battery = Der Computer läuft mit Akku, der zu { $percent } % voll ist. Schließen Sie ihn an, wenn es lange dauert.
reason-power-battery-low = Der Computer läuft mit Akku, der nur zu { $percent } % voll ist. Schließen Sie ihn an, bevor Sie beginnen.
reason-power-battery-unknown = Der Computer läuft mit Akku. Schließen Sie ihn an, bevor Sie beginnen.
reason-power-not-seen = Woher der Strom kommt, war nicht zu sehen.

## Was dieser Computer und dieses Laufwerk können

condition-transport = Der Weg zum Laufwerk
condition-security-commands = Das Laufwerk nimmt Sicherheitsbefehle an
condition-ata-security = Kein älteres Passwortschloss ist im Weg
condition-opal-2 = Das Laufwerk spricht Opal 2
condition-media-encryption = Das Laufwerk verschlüsselt wirklich
condition-drive-not-owned = Niemand hat das Laufwerk in Besitz genommen
condition-sid-not-blocked = Die Firmware lässt das Laufwerk einrichten
condition-edrive = Windows kann es als eDrive benutzen
condition-geometry = Laufwerk und System zählen in denselben Blöcken
condition-shadow-mbr = Das Laufwerk kann gesperrt ein Startprogramm zeigen
condition-not-known-bad = Kein Fehler seiner Verschlüsselung ist bekannt
condition-uefi = Das System wurde von UEFI gestartet
condition-uefi-version = Version von UEFI
condition-csm = Die Firmware ahmt kein altes BIOS nach
condition-secure-boot = Secure Boot
condition-tpm = Ein TPM
condition-boot-loader = Der Bootloader ist bekannt
condition-initramfs = Es ist bekannt, was das Initramfs macht
condition-brake = Wer von beiden bremst

reason-transport-image = Eine Abbilddatei hat keine eigene Verschlüsselung.
reason-transport-direct = Der Computer spricht mit dem Laufwerk selbst.
reason-transport-network = Das Laufwerk wird über ein Netz erreicht, und Befehle kommen unverändert an.
reason-transport-usb = Eine USB-Brücke liegt dazwischen. Viele geben Sicherheitsbefehle nicht weiter; ein „Nein“ von dort sagt nichts über das Laufwerk.
reason-transport-raid = Ein RAID-Controller oder sein Treiber (RST, VMD) liegt dazwischen. Stellen Sie den Controller in der Firmware auf AHCI oder NVMe, um das Laufwerk selbst zu fragen; vergewissern Sie sich vorher, dass das System dann noch startet.
reason-transport-virtual = Es ist das Laufwerk einer virtuellen Maschine. Was darunter liegt, lässt sich von hier aus nicht fragen.
reason-transport-not-seen = Wie das Laufwerk angeschlossen ist, war nicht zu sehen.
reason-security-commands-there = Das Laufwerk sagt, dass es sie annimmt.
reason-security-commands-missing = Das Laufwerk sagt, dass es sie nicht annimmt. Es hat also keine Verschlüsselung, die sich einrichten ließe.
reason-security-commands-hidden = Die Antwort war Nein, aber sie kommt vielleicht von dem, was dazwischen liegt, und nicht vom Laufwerk.
reason-security-commands-not-seen = Das Laufwerk ließ sich nicht fragen. Das braucht bei den meisten Laufwerken Administratorrechte.
reason-ata-security-locked = Es ist mit einem Passwort der älteren Art gesperrt. Entsperren Sie es zuerst: Vorher ist nichts anderes zu sehen.
reason-ata-security-enabled = Ein Passwort der älteren Art ist gesetzt. Entfernen Sie es zuerst, in den Einstellungen der Firmware.
reason-ata-security-off = Es ist kein Passwort der älteren Art gesetzt.
reason-ata-security-none = Diese Art Laufwerk hat keines.
reason-ata-security-not-seen = Ob ein Passwort der älteren Art gesetzt ist, war nicht zu sehen.
reason-no-security-commands = Das Laufwerk nimmt keine Sicherheitsbefehle an, also gibt es nichts zu fragen.
reason-discovery-not-reached = Das Laufwerk wurde nicht gefragt: Seine Antwort auf die Erkundung war von hier aus nicht zu erreichen.
reason-discovery-silent = Das Laufwerk hat geantwortet und nichts darüber gesagt.
reason-opal-2-there = Das tut es.
reason-opal-2-missing = Das tut es nicht. Gängige Programme können nur Opal einrichten.
reason-media-encryption-there = Es sagt, dass alles darauf immer verschlüsselt ist. Von außen kann das niemand prüfen.
reason-media-encryption-missing = Es lässt sich sperren, aber es verschlüsselt nicht: Wer seine Speicherbausteine liest, liest die Daten.
reason-drive-free = So ist es.
reason-drive-owned = Jemand hat es getan, vielleicht Windows von selbst. Es braucht dessen Passwort, oder die Nummer auf dem Aufkleber (PSID), die alles löscht.
reason-sid-free = Das tut sie.
reason-sid-blocked = Sie hat das seit dem letzten Start gesperrt (Block SID). Schalten Sie das in den Einstellungen der Firmware ab, oder versuchen Sie es nach dem Ruhezustand noch einmal.
reason-edrive-possible = Vielleicht.
reason-edrive-not = Das kann es nicht. Es zählt nur für Hardware-Verschlüsselung unter Windows.
reason-geometry-fits = Das tun sie.
reason-geometry-differs = Das tun sie nicht; Bereiche lägen an der falschen Stelle.
reason-shadow-mbr-there = Das kann es.
reason-shadow-mbr-missing = Das kann es nicht. Es taugt trotzdem für Daten, oder mit einer Startpartition, die offen bleibt.
reason-no-flaw-known = Auf der Liste steht keiner. Das ist kein Beweis: Die meisten Laufwerke hat sich niemand angesehen.
reason-model-not-seen = Welches Laufwerk es ist, war nicht zu sehen.
reason-drive-weak = { $drive }: Seine Verschlüsselung wurde gebrochen ({ $flaw }). Verlassen Sie sich nicht darauf.
reason-drive-doubtful = { $drive }: Etwas ist darüber bekannt ({ $flaw }).
reason-hardware-possible = Das Laufwerk könnte selbst verschlüsseln. Weil niemand prüfen kann, wie gut es das tut, wird Verschlüsselung durch diesen Computer gewählt; beides zusammen geht auch.
reason-hardware-blocks = Das Laufwerk könnte selbst verschlüsseln, wenn seine Blöcke zu denen des Systems passen.
reason-hardware-blocked = Das Laufwerk könnte selbst verschlüsseln, sobald die Firmware es einrichten lässt.
reason-hardware-power-cycle = Schalten Sie den Computer aus und wieder ein, und sehen Sie noch einmal nach: Das Laufwerk ist in einem Zustand, den nur das beendet.
reason-hardware-locked = Das Laufwerk ist gesperrt. Entsperren Sie es zuerst, mit seinem Passwort oder, wobei alles darauf verloren geht, mit der Nummer auf dem Aufkleber (PSID).
reason-hardware-taken = Die Verschlüsselung des Laufwerks hat schon einen Besitzer. Verwalten Sie sie mit dessen Passwort; sie wird nie ein zweites Mal eingerichtet.
reason-hardware-not = Die eigene Verschlüsselung des Laufwerks ist nicht brauchbar, oder es ist kein Verlass darauf; die nicht erfüllten Bedingungen sagen, warum. Verschlüsselung durch diesen Computer geht.
reason-hardware-not-known = Ob das Laufwerk selbst verschlüsseln könnte, ist nicht bekannt. Verschlüsselung durch diesen Computer geht bei jedem Laufwerk.
reason-uefi-there = So war es.
reason-uefi-missing = Es wurde von einem BIOS gestartet oder von einer Firmware, die eines nachahmt. Verschlüsselung durch den Computer geht trotzdem.
reason-uefi-not-seen = Wie das System gestartet wurde, war nicht zu sehen.
reason-uefi-version-there = Es ist { $name }.
reason-uefi-version-not-seen = Dieses System sagt sie nicht. Sie zählt nur für Hardware-Verschlüsselung unter Windows, die 2.3.1 braucht.
reason-csm-on = Sie tut es (CSM). Für Hardware-Verschlüsselung unter Windows muss das ausgeschaltet werden.
reason-csm-off = Sie tut es nicht.
reason-csm-not-seen = Ob sie es tut, war nicht zu sehen.
reason-secure-boot-on = Es ist an: Nur signierte Programme starten; das macht es schwer, den Start unbemerkt zu ändern.
reason-secure-boot-off = Es ist aus. Die Daten sind trotzdem geschützt; aber wer den Computer eine Weile hat, könnte ändern, wie er startet.
reason-secure-boot-not-seen = Ob es an ist, war nicht zu sehen.
reason-tpm-there = Version { $name } ist da.
reason-tpm-missing = Es ist keines da. Es wird nicht gebraucht: Ein Passwort öffnet das Laufwerk.
reason-tpm-not-seen = Ob eines da ist, war nicht zu sehen.
reason-boot-loader-there = Es ist { $name }.
reason-boot-loader-not-seen = Es wurde keiner gefunden, der bekannt ist. Das zählt nur für das Laufwerk, von dem das System startet.
reason-initramfs-there = Es ist { $name }.
reason-initramfs-not-seen = Es wurde nichts gefunden, was bekannt ist. Das zählt nur für das Laufwerk, von dem das System startet.
reason-brake-drive = Das Laufwerk: Ein Kern des Prozessors verschlüsselt { $cipher_rate }, und das Laufwerk liest { $drive_rate }. Die Verschlüsselung wird man kaum spüren.
reason-brake-both = Keiner von beiden deutlich: Ein Kern des Prozessors verschlüsselt { $cipher_rate }, und das Laufwerk liest { $drive_rate }.
reason-brake-cipher = Die Verschlüsselung: Ein Kern des Prozessors schafft { $cipher_rate }, und das Laufwerk liest { $drive_rate }. Große Dateien werden langsamer, wenn sich nicht mehrere Kerne die Arbeit teilen.
reason-brake-not-seen = Ein Kern des Prozessors verschlüsselt { $cipher_rate }. Wie schnell das Laufwerk liest, ließ sich nicht messen.
reason-brake-not-measured = Beides ließ sich nicht messen.

## Welches Verfahren und warum

reason-software-everywhere = Verschlüsselung durch den Computer geht bei jedem Laufwerk, lässt sich von jedem prüfen und öffnet sich unter jedem Linux.
reason-software-fast = { $processor } verschlüsselt schneller, als die meisten Laufwerke lesen und schreiben.
reason-hardware-not-asked = Ob das Laufwerk selbst verschlüsseln kann, wurde dafür nicht gefragt.
