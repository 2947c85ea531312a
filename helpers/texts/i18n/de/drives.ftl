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
reason-other-encryption = Es ist vielleicht von einem anderen System verschlüsselt ({ $content }). Das kann nur dieses System sagen.
reason-self-encrypting = Diese Art Dateisystem ({ $content }) kann selbst verschlüsseln. Ob es das tut, lässt sich von außen nicht sagen.
reason-plain-dm-crypt = Es ist ohne Kopf verschlüsselt ({ $cipher }). Geschlossen sieht es aus wie leeres Rauschen: Formatieren Sie es nie aus Versehen.
reason-plain-dm-crypt-unseen = Es ist als verschlüsselt ohne Kopf geöffnet. Mit welchem Verfahren, sieht nur ein Administrator.

reason-plain = Es ist nicht verschlüsselt. Wer das Laufwerk hat, liest alles darauf.
reason-plain-leftover = Es ist nicht verschlüsselt. Der Rest einer älteren Verschlüsselung liegt noch darauf und kann Programme verwirren.
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

## Was als Nächstes zu tun ist

next-nothing = Es ist nichts zu tun.
next-keep-key = Nichts zu tun. Bewahren Sie den Wiederherstellungsschlüssel an einem sicheren Ort auf, nicht beim Computer.
next-encrypt = Verschlüsseln Sie es jetzt.
next-unmount-and-encrypt = Werfen Sie es aus oder hängen Sie es aus, dann verschlüsseln Sie es.
next-encrypt-system = Das laufende System liegt darauf. Diese Version verschlüsselt Laufwerke, die nicht benutzt werden; das Systemlaufwerk kommt mit einer späteren.
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
reason-file-system-errors = { $content } hat Fehler vermerkt. Lassen Sie es zuerst prüfen und reparieren.
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

## Welches Verfahren und warum

reason-software-everywhere = Verschlüsselung durch den Computer geht bei jedem Laufwerk, lässt sich von jedem prüfen und öffnet sich unter jedem Linux.
reason-software-fast = { $processor } verschlüsselt schneller, als die meisten Laufwerke lesen und schreiben.
reason-hardware-not-asked = Ob das Laufwerk selbst verschlüsseln kann, wurde nicht angesehen: Diese Version bietet es noch nicht an.
