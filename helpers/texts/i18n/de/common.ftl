# Wörter und Sätze, die mehr als eine Crate benutzt.

## Urteile, in ein oder zwei Wörtern

verdict-protected = Geschützt
verdict-not-protected = Nicht geschützt
verdict-partly-protected = Teilweise geschützt
verdict-suspended = Schutz ausgesetzt
verdict-converting = Halb fertig
verdict-locked = Verschlüsselt und verschlossen
verdict-unknown = Unbekannt

## Verfahren

method-software = durch diesen Computer (LUKS2, AES-XTS)
method-hardware = durch das Laufwerk selbst (Opal)
method-both = durch diesen Computer und durch das Laufwerk

## Wie eine Bedingung ausfiel

outcome-pass = in Ordnung
outcome-fail = nicht erfüllt
outcome-warn = bitte beachten
outcome-unknown = nicht zu sehen

## Tage

date-of = { $number }. { $month } { $year }
month-1 = Januar
month-2 = Februar
month-3 = März
month-4 = April
month-5 = Mai
month-6 = Juni
month-7 = Juli
month-8 = August
month-9 = September
month-10 = Oktober
month-11 = November
month-12 = Dezember

## Was auf einem Datenträger liegt. Ein Name, der hier fehlt, wird gezeigt, wie er ist.

content-swap = Auslagerungsbereich (Swap)
content-empty = nichts (nur Nullen)
content-unknown = etwas Unbekanntes
content-partition-table = ein Laufwerk mit Partitionen
content-luks1 = LUKS1-Verschlüsselung
content-luks2 = LUKS2-Verschlüsselung
content-ntfs = NTFS (Windows)
content-vfat = FAT (Sticks und Speicherkarten)
content-exfat = exFAT (Sticks und Speicherkarten)
content-xfs = XFS (Linux)
content-apfs = APFS (Mac), vielleicht mit FileVault

## Arbeitsschritte

step-check = Ansehen und prüfen
step-make-room = Platz schaffen
step-derive-key = Schlüssel berechnen
step-header = Kopf schreiben
step-encrypt = Verschlüsseln
step-decrypt = Entschlüsseln
step-benchmark = Messen
step-write = Schreiben
step-verify = Zurücklesen
step-work = Arbeiten

## Fehler eines Laufwerks oder einer Datei

fault-device-missing = Unter { $path } gibt es nichts.
    .next = Prüfen Sie die Schreibweise, und ob das Laufwerk eingesteckt ist.
fault-device-no-rights = Das System erlaubt Ihnen nicht, { $path } zu öffnen.
    .next = Für ein Laufwerk rufen Sie denselben Befehl als Administrator auf (mit sudo). Bei einer Datei prüfen Sie, wem sie gehört.
fault-device-in-use = { $path } wird benutzt: Es ist eingehängt, oder ein anderes Programm arbeitet damit.
    .next = Schließen Sie, was es benutzt, werfen Sie es aus oder hängen Sie es aus, und versuchen Sie es noch einmal. Es wurde nichts verändert.
fault-device-wrong-kind = { $path } ist weder ein Laufwerk noch eine Datei, die eines sein könnte.
    .next = Wählen Sie ein Laufwerk, eine Partition oder eine Abbilddatei.
fault-device-read-only = { $path } kann nur gelesen werden.
    .next = Suchen Sie am Laufwerk nach einem Schreibschutzschalter, oder machen Sie die Datei beschreibbar. Es wurde nichts verändert.
fault-device-full = Dort, wo die Datei liegt, ist kein Platz mehr frei.
    .next = Schaffen Sie dort etwas Platz, und machen Sie dann weiter: Was bisher geschrieben wurde, ist sicher.
fault-device-out-of-range = { $length } bei { $offset } liegen hinter dem Ende des Laufwerks, das { $size } hat.
    .next = Das Laufwerk ist kleiner, als auf ihm geschrieben steht. Kopieren Sie zuerst die wichtigen Dateien auf ein anderes Laufwerk.
fault-device-fixed-size = Die Größe dieses Laufwerks kann nicht geändert werden.
    .next = Nur Abbilddateien können wachsen. Schaffen Sie stattdessen im Laufwerk selbst Platz.
fault-device-io =
    Das Laufwerk hat bei { $offset } einen Fehler gemeldet ({ $operation ->
        [open] beim Öffnen
        [read] beim Lesen
        [write] beim Schreiben
        [flush] beim Sichern
        [resize] beim Ändern der Größe
        [discard] beim Freigeben
       *[other] { $operation }
    }).
    .next = Prüfen Sie das Kabel, und kopieren Sie dann die wichtigen Dateien auf ein anderes Laufwerk: Solche Fehler sind oft das erste Zeichen, dass ein Laufwerk ausfällt.
