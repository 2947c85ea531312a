# The system drive: preflight, test start, encryption while people work.


fault-boot-not-the-system = Die Wurzel des laufenden Systems liegt auf keiner Partition, die hier zu sehen ist ({ $id }).
    .next = Sehen Sie in „latchkey status“ nach und versuchen Sie es noch einmal.
fault-boot-needs-root = Das darf nur der Systemverwalter.
    .next = Führen Sie es als root aus, etwa mit sudo.
fault-boot-nothing-staged = Es wurde keine Verschlüsselung des laufenden Systems begonnen.
    .next = Beginnen Sie mit: latchkey encrypt /
fault-boot-already-staged = Ein Teststart ist schon vorbereitet, oder es wird schon verschlüsselt.
    .next = Starten Sie den Computer für den Test neu oder nehmen Sie es zurück mit: latchkey undo /
fault-boot-wrong-state = Das passt nicht dazu, wie es gerade um das Laufwerk des Systems steht.
    .next = „latchkey status /“ sagt, wie es steht.
fault-boot-password-needed = Zum Weitermachen wird das Kennwort gebraucht: Seit dem Start des Computers hat es niemand eingetippt.
    .next = Weiter geht es mit: latchkey resume /
fault-boot-already-encrypting = Ein Teil des Systemlaufwerks ist schon verschlüsselt, deshalb lässt es sich nicht sofort zurücknehmen.
    .next = Lassen Sie es zu Ende laufen; jede Datei bleibt.
fault-boot-tool-missing = Das Programm { $tool } fehlt.
    .next = Installieren Sie das Paket, das es enthält, und versuchen Sie es noch einmal.
fault-boot-tool-failed = Das Programm { $tool } ist gescheitert.
    .next = Die Einzelheiten sagen, warum. Alles startet weiter wie bisher.
fault-boot-file = { $path } ließ sich nicht lesen oder schreiben.
    .next = Sehen Sie nach, ob die Festplatte voll ist, und versuchen Sie es noch einmal.
fault-boot-not-understood = Was { $path } sagt, ist nicht zu verstehen.
    .next = Es steht in den Einzelheiten. Damit wurde nichts gemacht.
fault-boot-not-in-initramfs = { $path } wurde gemacht, und etwas Nötiges ist nicht darin.
    .next = Das System startet wie bisher. Die Einzelheiten sagen, was fehlt; sehen Sie nach, ob /boot voll ist.

# A condition that forbids it: as an error, and in the list of conditions.

fault-boot-root-encrypted = Das System läuft schon von einem verschlüsselten Datenträger ({ $path }).
    .next = Hier ist nichts zu tun. „latchkey status“ sagt, wie er geschützt ist.
reason-boot-root-encrypted = Das System läuft schon von einem verschlüsselten Datenträger ({ $path }). Hier ist nichts zu tun. „latchkey status“ sagt, wie er geschützt ist.
fault-boot-root-device = Das System liegt auf etwas ({ $kind }), das diese Version nicht im laufenden Betrieb verschlüsselt.
    .next = Verschlüsseln Sie es von einem anderen System aus, das von einem Stick startet; von hier aus geht es mit einer Partition einer GPT- oder MBR-Festplatte.
reason-boot-root-device = Das System liegt auf etwas ({ $kind }), das diese Version nicht im laufenden Betrieb verschlüsselt. Verschlüsseln Sie es von einem anderen System aus, das von einem Stick startet; von hier aus geht es mit einer Partition einer GPT- oder MBR-Festplatte.
fault-boot-root-file-system = Das Dateisystem des Systems ist { $content }, und beim Start verkleinern lässt sich nur ext4.
    .next = Verschlüsseln Sie es von einem anderen System aus, das von einem Stick startet, oder ziehen Sie mit dem System auf ext4 um.
reason-boot-root-file-system = Das Dateisystem des Systems ist { $content }, und beim Start verkleinern lässt sich nur ext4. Verschlüsseln Sie es von einem anderen System aus, das von einem Stick startet, oder ziehen Sie mit dem System auf ext4 um.
fault-boot-root-small = Die Partition des Systems hat { $size }; gebraucht werden mindestens { $needed }.
    .next = Vergrößern Sie die Partition.
reason-boot-root-small = Die Partition des Systems hat { $size }; gebraucht werden mindestens { $needed }. Vergrößern Sie die Partition.
fault-boot-errors = Das Dateisystem des Systems hat Fehler vermerkt ({ $count }).
    .next = Lassen Sie es beim nächsten Start prüfen: Geben Sie dem Kernel einmal „fsck.mode=force“ mit.
reason-boot-errors = Das Dateisystem des Systems hat Fehler vermerkt ({ $count }). Lassen Sie es beim nächsten Start prüfen: Geben Sie dem Kernel einmal „fsck.mode=force“ mit.
fault-boot-no-room = Auf dem Dateisystem des Systems sind { $free } frei; für den Kopf und zum Umräumen werden { $needed } gebraucht.
    .next = Löschen Sie etwas und versuchen Sie es noch einmal.
reason-boot-no-room = Auf dem Dateisystem des Systems sind { $free } frei; für den Kopf und zum Umräumen werden { $needed } gebraucht. Löschen Sie etwas und versuchen Sie es noch einmal.
fault-boot-drive-failing = Das Laufwerk selbst meldet, dass es ausfällt (SMART).
    .next = Machen Sie eine Sicherung und tauschen Sie das Laufwerk. Verschlüsseln Sie es nicht.
reason-boot-drive-failing = Das Laufwerk selbst meldet, dass es ausfällt (SMART). Machen Sie eine Sicherung und tauschen Sie das Laufwerk. Verschlüsseln Sie es nicht.
fault-boot-cryptsetup-damages = Installiert ist cryptsetup { $version }, und diese Version kann Daten beschädigen, während ein Datenträger benutzt wird.
    .next = Aktualisieren Sie cryptsetup auf 2.7.5 oder neuer.
reason-boot-cryptsetup-damages = Installiert ist cryptsetup { $version }, und diese Version kann Daten beschädigen, während ein Datenträger benutzt wird. Aktualisieren Sie cryptsetup auf 2.7.5 oder neuer.
fault-boot-packages-missing = Es fehlen Pakete: { $packages }.
    .next = Installieren Sie sie: apt-get install { $packages }
reason-boot-packages-missing = Es fehlen Pakete: { $packages }. Installieren Sie sie: apt-get install { $packages }
fault-boot-initramfs-other = Die Initramfs wird von { $name } gemacht; dafür hat diese Version keinen Teststart.
    .next = Verschlüsseln Sie es von einem anderen System aus, das von einem Stick startet.
reason-boot-initramfs-other = Die Initramfs wird von { $name } gemacht; dafür hat diese Version keinen Teststart. Verschlüsseln Sie es von einem anderen System aus, das von einem Stick startet.
fault-boot-initramfs-unknown = Was die Initramfs dieses Systems macht, ist nicht bekannt.
    .next = Verschlüsseln Sie es von einem anderen System aus, das von einem Stick startet.
reason-boot-initramfs-unknown = Was die Initramfs dieses Systems macht, ist nicht bekannt. Verschlüsseln Sie es von einem anderen System aus, das von einem Stick startet.
fault-boot-no-systemd = Das System wird nicht von systemd gestartet, das im Hintergrund verschlüsseln würde.
    .next = Verschlüsseln Sie es von einem anderen System aus, das von einem Stick startet.
reason-boot-no-systemd = Das System wird nicht von systemd gestartet, das im Hintergrund verschlüsseln würde. Verschlüsseln Sie es von einem anderen System aus, das von einem Stick startet.
fault-boot-loader-none = Es wurde kein Bootlader gefunden, der einen Eintrag ein einziges Mal startet und die Wahl selbst löscht.
    .next = GRUB muss seinen Umgebungsblock schreiben können: /boot darf nicht auf LVM, RAID oder btrfs liegen.
reason-boot-loader-none = Es wurde kein Bootlader gefunden, der einen Eintrag ein einziges Mal startet und die Wahl selbst löscht. GRUB muss seinen Umgebungsblock schreiben können: /boot darf nicht auf LVM, RAID oder btrfs liegen.
fault-boot-boot-device = /boot liegt auf etwas ({ $kind }), das keine einfache Partition ist.
    .next = Verlegen Sie /boot auf eine eigene Partition.
reason-boot-boot-device = /boot liegt auf etwas ({ $kind }), das keine einfache Partition ist. Verlegen Sie /boot auf eine eigene Partition.
fault-boot-inside-root = /boot ist ein Teil des System-Dateisystems, und keine Auslagerungspartition kann { $needed } für ein eigenes abgeben.
    .next = Legen Sie eine Partition für /boot an oder vergrößern Sie die Auslagerungspartition.
reason-boot-inside-root = /boot ist ein Teil des System-Dateisystems, und keine Auslagerungspartition kann { $needed } für ein eigenes abgeben. Legen Sie eine Partition für /boot an oder vergrößern Sie die Auslagerungspartition.
fault-boot-boot-full = Auf /boot sind { $free } frei; gebraucht werden { $needed }.
    .next = Entfernen Sie alte Kernel: apt-get autoremove
reason-boot-boot-full = Auf /boot sind { $free } frei; gebraucht werden { $needed }. Entfernen Sie alte Kernel: apt-get autoremove
fault-boot-kernel-gone = Der laufende Kernel ({ $version }) ist nicht mehr in /boot: Er wurde aktualisiert.
    .next = Starten Sie den Computer neu und versuchen Sie es noch einmal.
reason-boot-kernel-gone = Der laufende Kernel ({ $version }) ist nicht mehr in /boot: Er wurde aktualisiert. Starten Sie den Computer neu und versuchen Sie es noch einmal.
fault-boot-root-by-name = Dem Kernel wird das System unter { $name } genannt, und dieser Name ändert sich.
    .next = Tragen Sie in der Konfiguration des Bootladers root=UUID=… ein.
reason-boot-root-by-name = Dem Kernel wird das System unter { $name } genannt, und dieser Name ändert sich. Tragen Sie in der Konfiguration des Bootladers root=UUID=… ein.
fault-boot-fstab-by-name = /etc/fstab nennt das Dateisystem des Systems { $name } und nicht nach seiner UUID.
    .next = Schreiben Sie dort UUID=…; „blkid“ zeigt sie.
reason-boot-fstab-by-name = /etc/fstab nennt das Dateisystem des Systems { $name } und nicht nach seiner UUID. Schreiben Sie dort UUID=…; „blkid“ zeigt sie.
fault-boot-small-blocks = Das Dateisystem des Systems hat Blöcke von { $block } Bytes, die Verschlüsselung aber Sektoren von 4096.
    .next = Ziehen Sie das System auf ein neu angelegtes Dateisystem um; ext4 hat heute die richtigen Blöcke.
reason-boot-small-blocks = Das Dateisystem des Systems hat Blöcke von { $block } Bytes, die Verschlüsselung aber Sektoren von 4096. Ziehen Sie das System auf ein neu angelegtes Dateisystem um; ext4 hat heute die richtigen Blöcke.
fault-boot-odd-size = Die Länge der Partition { $path } ist kein Vielfaches von 4096 Bytes.
    .next = Machen Sie sie mit einem Partitionsprogramm etwas kleiner oder größer und versuchen Sie es noch einmal.
reason-boot-odd-size = Die Länge der Partition { $path } ist kein Vielfaches von 4096 Bytes. Machen Sie sie mit einem Partitionsprogramm etwas kleiner oder größer und versuchen Sie es noch einmal.
fault-boot-packages-unfinished = Gerade wird ein Paket installiert, oder seine Installation wurde abgebrochen.
    .next = Warten Sie, bis es fertig ist. Wird nichts installiert, hilft: dpkg --configure -a
reason-boot-packages-unfinished = Gerade wird ein Paket installiert, oder seine Installation wurde abgebrochen. Warten Sie, bis es fertig ist. Wird nichts installiert, hilft: dpkg --configure -a
fault-boot-root-twin = { $path } ist eine Kopie der Systempartition: Beide haben eine UUID gemeinsam, und man könnte eins für das andere halten.
    .next = Ziehen Sie den Datenträger ab oder geben Sie ihm eine andere UUID.
reason-boot-root-twin = { $path } ist eine Kopie der Systempartition: Beide haben eine UUID gemeinsam, und man könnte eins für das andere halten. Ziehen Sie den Datenträger ab oder geben Sie ihm eine andere UUID.
fault-boot-battery-low = Der Akku steht bei { $percent } %, und das Netzteil steckt nicht; nötig sind { $needed } %.
    .next = Stecken Sie das Netzteil ein.
reason-boot-battery-low = Der Akku steht bei { $percent } %, und das Netzteil steckt nicht; nötig sind { $needed } %. Stecken Sie das Netzteil ein.

reason-boot-in-order = In Ordnung.
reason-boot-errors-unseen = Ob das Dateisystem Fehler vermerkt hat, war nicht zu sehen. Beim Teststart wird es geprüft.
reason-boot-health-unseen = Das Laufwerk wurde nicht gefragt; mit dem Paket smartmontools geht das.
reason-boot-will-be-split = /boot ist ein Teil des System-Dateisystems. Es bekommt eine eigene Partition mit { $size } aus der Auslagerungspartition { $path }, damit der Bootlader nie etwas öffnen muss.
reason-boot-swap-plain = { $path } ist unverschlüsselter Auslagerungsspeicher. Während des Verschlüsselns ist er aus; am Ende wird er mit einem neuen Schlüssel je Start verschlüsselt.
reason-boot-no-hibernation = Das System würde von { $place } aufwachen. Danach gibt es keinen Ruhezustand auf der Platte mehr, weil der Auslagerungsspeicher bei jedem Start einen neuen Schlüssel hat; Bereitschaft geht weiter.
reason-boot-on-battery = Der Computer läuft mit dem Akku ({ $percent } %). Besser ist es mit Netzteil.
reason-boot-clock-wrong = Die Uhr sagt { $year }.
reason-boot-keyboard-layout = Das Kennwort wird mit der Belegung „{ $layout }“ eingetippt. Der Teststart beweist, dass das geht.
reason-boot-stays-plain = Auf demselben Laufwerk liegt noch etwas, das bleibt, wie es ist: { $paths }.

condition-boot-root = Laufwerk und Dateisystem des Systems
condition-boot-clean = Das Dateisystem ist in Ordnung
condition-boot-room = Für den Kopf ist Platz
condition-boot-blocks = Dateisystem und Partition haben die richtigen Blöcke
condition-boot-package-work = Es wird kein Paket installiert
condition-boot-health = Das Laufwerk ist gesund
condition-boot-cryptsetup = cryptsetup richtet keinen Schaden an
condition-boot-packages = Alle Pakete sind da
condition-boot-initramfs = Die Initramfs ist bekannt
condition-boot-once = Der Test lässt sich einmal starten
condition-boot-separate = /boot ist eine eigene Partition
condition-boot-boot-room = Auf /boot ist Platz
condition-boot-kernel = Der laufende Kernel ist der auf der Festplatte
condition-boot-by-uuid = Das System wird nach seiner UUID gefunden
condition-boot-twin = Es gibt keine Kopie des Systems
condition-boot-swap = Der Auslagerungsspeicher ist verschlüsselt
condition-boot-hibernation = Ruhezustand
condition-boot-power = Es ist genug Strom da
condition-boot-clock = Die Uhr geht richtig
condition-boot-keyboard = Die Belegung der Tastatur
condition-boot-other-systems = Andere Systeme auf dem Laufwerk

cli-system-prompt = Please unlock disk { $name }:
cli-system-wrong = Latchkey: Dieses Kennwort öffnet es nicht.
cli-system-working = Latchkey: Das Dateisystem wird geprüft und vorbereitet. Bitte warten.
cli-system-ask = Gibt es eine Sicherung von allem Wichtigen, und darf der Teststart vorbereitet werden? Vor seinem Gelingen wird nichts verschlüsselt. [j/N]
cli-system-staged = Alles ist vorbereitet. Starten Sie den Computer jetzt neu: Er fragt nach dem Kennwort. Klappt das, verschlüsselt er von selbst weiter; wenn nicht, startet er wie immer.
cli-system-paused = Es ist angehalten und bleibt es. Weiter geht es mit: latchkey resume /
cli-system-resumed = Es geht im Hintergrund weiter. „latchkey status /“ sagt, wie weit es ist.
cli-system-undone = Alles Vorbereitete ist wieder entfernt.
cli-system-undone-next = Es ist nichts verschlüsselt. Der nächste Start stellt alles wieder her, wie es war: Starten Sie den Computer neu.
cli-system-untouched = Das Laufwerk des Systems ist nicht von Latchkey verschlüsselt.
cli-system-phase-staged = Der Teststart ist vorbereitet. Am Laufwerk des Systems ist nichts geändert. Starten Sie den Computer neu.
cli-system-phase-placed = Der Teststart ist gelungen. Noch ist nichts verschlüsselt.
cli-system-phase-encrypting = Wird verschlüsselt: { $done_size } von { $size }.
cli-system-phase-stopped = Zum Teil verschlüsselt und angehalten: { $done_size } von { $size }. Weiter geht es mit: latchkey resume /
cli-system-phase-ending = Alles ist verschlüsselt. Das System wird für den nächsten Start vorbereitet.
cli-system-phase-to-be-proven = Alles ist verschlüsselt. Fahren Sie den Computer einmal herunter und starten Sie ihn: Das beweist es.
cli-system-phase-proven = Alles ist verschlüsselt, und ein Start danach wurde gesehen.
cli-system-decrypt-staged = Der Rückweg ist vorbereitet. Der nächste Start fragt nach dem Kennwort und entschlüsselt alles, bevor das System da ist; bei einem großen Laufwerk dauert das Stunden, und der Strom darf ausfallen. Zurücknehmen mit: latchkey undo /
cli-system-decrypting = Latchkey: { $percent } % entschlüsselt
cli-system-phase-decrypted = Alles ist wieder unverschlüsselt. Das System wird für den nächsten Start vorbereitet.
cli-system-start-decrypted = Bei diesem Start wurde alles entschlüsselt.
cli-system-start-passed = Bei diesem Start war das Kennwort richtig.
cli-system-start-wrong-password = Bei diesem Start war das Kennwort dreimal falsch. Es wurde nichts geändert. Versuchen Sie es noch einmal mit: latchkey encrypt /
cli-system-start-nothing-typed = Bei diesem Start hat niemand ein Kennwort eingetippt. Es wurde nichts geändert.
cli-system-start-taken-back = Der Start davor kam nicht bis zum Ende, deshalb wurde alles wieder hergestellt, wie es war.
cli-system-start-failed = Bei diesem Start ging etwas schief. Es wurde nichts geändert.

fault-cli-system-not-here = Das laufende System wird hier mit seinen eigenen Mitteln verschlüsselt.
    .next = Nehmen Sie BitLocker oder FileVault.
fault-cli-system-no-program = Wo dieses Programm liegt, war nicht herauszufinden.
    .next = Starten Sie es mit vollem Pfad.
