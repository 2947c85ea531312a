# Sätze des Programms `latchkey`.

cli-note = Bitte beachten: { $reason }
cli-details = Einzelheiten: { $detail }
cli-stands = { $verdict }: { $reason }

## Fragen am Terminal

cli-ask-password = Passwort (oder Wiederherstellungsschlüssel):
cli-ask-recovery-key = Wiederherstellungsschlüssel:
cli-ask-new-password = Neues Passwort:
cli-ask-new-password-again = Noch einmal dasselbe:
cli-ask-encrypt = Mit dem Verschlüsseln beginnen? [j/N]
cli-ask-decrypt = Mit dem Entschlüsseln beginnen? [j/N]
cli-ask-go-on = Weitermachen? [j/N]

## Fortschritt

cli-progress = { $step }: { $percent } %
cli-progress-speed = { $step }: { $percent } % ({ $speed })
cli-time-left = noch { $left_seconds }
cli-paused-now = angehalten
cli-stopping = Ich halte so an, dass es später weitergehen kann. Noch einmal Strg-C beendet sofort; auch das ist sicher.

## status

cli-no-drives = Es wurden keine Laufwerke gefunden.
cli-status-computer = Dieser Computer
cli-status-place = {"  "}{ $kind }, { $place } ({ $content })
cli-status-drive = { $path }: { $name }, { $size }
cli-status-image = { $path }: { $size }
cli-status-volume = {"  "}{ $path }: { $content }, { $size }
cli-status-mounted = {"    "}Eingehängt in { $place }

## check

cli-check-target = { $path }: { $content }, { $size }
cli-check-able = Was dieser Computer und dieses Laufwerk können:
cli-check-method = Würde verschlüsselt { $method }.
cli-check-refused = So, wie es ist, kann es nicht verschlüsselt werden: Eine nötige Bedingung ist nicht erfüllt.

## encrypt, resume, pause, decrypt

cli-encrypt-plan =
    Das wird geschehen:
      Ziel: { $path }, { $size }
      Darauf: { $content }. Alles davon bleibt.
      Platz: { $room }
      Verschlüsselt: { $method }
      Wiederherstellungsschlüssel: kommt nach { $folder }, wird zurückgelesen und ausprobiert, bevor etwas verändert wird.
    Halten Sie eine Sicherung von allem bereit, was Sie nicht verlieren dürfen. Der Strom darf
    jederzeit ausfallen und das Programm jederzeit angehalten werden; dann geht es weiter mit:
    latchkey resume { $path }
cli-encrypted = { $path } ist verschlüsselt.
cli-decrypt-plan =
    Das wird geschehen:
      Ziel: { $path }
      Entschlüsselt: alles. Jede Datei bleibt, und danach kann sie jeder lesen.
    Der Strom darf jederzeit ausfallen und das Programm jederzeit angehalten werden; dann geht es
    weiter mit: latchkey resume { $path }
cli-decrypted = { $path } ist nicht mehr verschlüsselt. Wer es hat, kann es lesen.
cli-ask-undo = Die Verschlüsselung zurücknehmen? [j/N]
cli-undone = { $path } ist wie vorher. Es war noch nichts davon verschlüsselt.
cli-mends-own = Die Größe des Dateisystems auf { $path } wurde gerade geändert, als das abbrach. Latchkey bringt es in Ordnung und macht weiter …
cli-not-in-order = Das Dateisystem { $filesystem } auf { $path } wurde nicht richtig geschlossen oder hat Fehler, wie ein Stromausfall sie hinterlässt. Seine eigene Prüfung (e2fsck) kann es jetzt in Ordnung bringen. Sie legt Karten und Zählungen neu an; wo über eine Datei zu entscheiden wäre, hört sie auf und überlässt das Ihnen.
cli-ask-mend = Prüfen und in Ordnung bringen? [j/N]
cli-mends = Das Dateisystem { $filesystem } auf { $path } wird geprüft und in Ordnung gebracht …
cli-mended = Das Dateisystem auf { $path } ist in Ordnung.
cli-gave-up = Diese Sektoren ließen sich nicht lesen, an ihrer Stelle stehen Nullen: { $sectors } ({ $size }). Dateien, die dort lagen, sind beschädigt; holen Sie diese aus Ihrer Sicherung zurück.
cli-encrypt-used-space = Ausgelassen: { $size }, die keine Datei benutzt. Früher Gelöschtes kann dort noch liegen und lesbar sein; ohne --used-space-only wird alles verschlüsselt.
cli-paused = Die Umwandlung von { $path } ist angehalten. Weiter geht es mit: latchkey resume { $path }
cli-finished-meanwhile = Die Umwandlung von { $path } war fertig, bevor sie anhalten konnte.

## prove, passwd, recovery

cli-proven = Das Passwort öffnet { $path } (Schlüsselfach { $keyslot }).
cli-proven-recovery = Der Wiederherstellungsschlüssel öffnet { $path } (Schlüsselfach { $keyslot }).
cli-password-changed = Das Passwort von { $path } ist geändert. Das neue hat geöffnet, das alte öffnet nicht mehr.
cli-recovery-exported = Der Wiederherstellungsschlüssel { $key_id } liegt in { $path }. Er wurde von dort zurückgelesen und öffnet das Laufwerk.
cli-recovery-not-from-medium = Die Kopie { $path } wurde vielleicht aus dem Speicher dieses Computers zurückgelesen und nicht vom Stick. Um sicher zu sein, ziehen Sie den Stick ab, stecken ihn wieder ein und rufen auf: latchkey recovery verify { $path }
cli-recovery-old-revoked = { $path } hat einen neuen Wiederherstellungsschlüssel. Ältere öffnen nicht mehr: Vernichten Sie deren Kopien.
cli-recovery-whole = Der Wiederherstellungsschlüssel { $key_id } in { $path } ist vollständig. Um zu sehen, ob er ein Laufwerk öffnet, nennen Sie auch das Laufwerk.
cli-copies-of = { $uuid }:
cli-copies-none = Dieser Computer weiß von keinen Kopien eines Wiederherstellungsschlüssels. Er vermerkt jede, die hier gemacht oder geprüft wird.
cli-status-cut-smaller = Das Dateisystem wurde gerade für die Verschlüsselung verkleinert, als das abbrach. Nichts ist verschlüsselt, und keine Datei ist verloren. „latchkey encrypt { $path } …“ macht weiter; „latchkey undo { $path }“ gibt den Platz zurück.
cli-status-cut-larger = Es ist entschlüsselt; das Dateisystem wurde gerade wieder vergrößert, als das abbrach. Keine Datei ist verloren. „latchkey resume { $path }“ macht weiter.
cli-status-copies = Kopien seines Wiederherstellungsschlüssels:
cli-copy-line = { $place } (Schlüssel { $keyid }), gemacht am { $made_day }, zuletzt ausprobiert am { $day }
cli-copies-not-kept = Wo diese Kopie ist, ließ sich nicht vermerken ({ $cause }). Die Kopie selbst ist gut.
cli-recovery-opens = Der Wiederherstellungsschlüssel { $key_id } in { $path } ist vollständig und öffnet das Laufwerk.
cli-recovery-opens-here = Der Wiederherstellungsschlüssel { $key_id } in { $path } ist vollständig und öffnet { $target }, ein Laufwerk dieses Computers.
cli-recovery-here = Der Wiederherstellungsschlüssel { $key_id } in { $path } ist vollständig. Er gehört zu { $target }, einem Laufwerk dieses Computers. Ob er es noch öffnet, lässt sich nur mit Administratorrechten prüfen.
cli-recovery-elsewhere = Er wurde für ein Laufwerk mit der UUID { $uuid } gemacht. So eines ist zurzeit nicht in diesem Computer: Der Schlüssel gehört zu einem anderen Computer oder zu einem Laufwerk, das nicht angeschlossen ist.
cli-recovery-paper-made = Die Seite mit dem Wiederherstellungsschlüssel { $key_id } ist in { $path }. Der Code darauf wurde zurückgelesen und öffnet das Laufwerk. Drucken Sie sie aus und löschen Sie dann die Datei.

## header

cli-header-backed-up = Der Kopf von { $path } liegt in { $file }. Bewahren Sie ihn auf wie einen Schlüssel: Mit ihm öffnen auch Passwörter, die seither geändert wurden.
cli-header-restore-plan = Der Kopf von { $path } wird durch den in { $file } ersetzt. Danach gelten die Passwörter des Tages, an dem er gesichert wurde.
cli-header-restored = Der Kopf von { $path } ist wieder der aus { $file }.
cli-header-whole = Beide Kopien des Kopfes von { $path } sind heil. Es gibt nichts zu reparieren.
cli-header-one-copy = Eine der beiden Kopien des Kopfes von { $path } ist beschädigt. Sie wird aus der anderen neu geschrieben.
cli-header-both-damaged = Beide Kopien des Kopfes von { $path } sind beschädigt. Was übrig ist, wurde zusammengesetzt; wenn das Passwort es öffnet, wird es geschrieben.
cli-header-mended = Der Kopf von { $path } ist wieder heil.

## bench

cli-bench-will-write = Es wird in { $folder } gemessen: Höchstens { $size } werden geschrieben und wieder entfernt.
cli-bench-no-kernel = Der Kernel ließ sich nicht nach seinen Verschlüsselungen fragen (kein AF_ALG: { $reason }). Die Werte oben sind die dieses Programms.
cli-bench-pbkdf2 = PBKDF2-{ $hash }: { $iterations } Runden in der Sekunde
cli-bench-argon2 = Argon2id mit { $passes } Durchgängen, { $memory_size }, { $lanes } Bahnen: Ein Passwort braucht { $took } s
cli-bench-disk = { $name }: { $rate } ({ $low_rate } bis { $high_rate }), { $iops } Blöcke je Sekunde, ein Block { $half } µs, einer von hundert { $slow } µs: { $test }
cli-bench-cost = { "    " }Prozessor: { $cpu } s für jedes GiB
cli-bench-compared = { $test }: vorher { $before_rate }, nachher { $after_rate } ({ $percent } %, zwischen { $least } und { $most }): { $change }
cli-bench-predicted = { "    " }erwartet: { $low } % bis { $high } %
cli-bench-different = Auch das war anders: { $what }: { $before } → { $after }
cli-bench-kept = Der Bericht liegt in { $path }.
cli-bench-not-trimmed = Dem Laufwerk konnte nicht gesagt werden, was frei ist. Die Werte sind vielleicht etwas schlechter als möglich.
cli-bench-under-and-through = { $name }: das Gerät darunter (vorher) und das Laufwerk selbst (nachher), abwechselnd
cli-bench-none-kept = In { $folder } sind keine Messungen aufgehoben. Heben Sie eine auf mit: latchkey bench disk ORDNER --keep ORDNER
cli-bench-kept-line = { $day }: { $drive }, Verschlüsselung: { $cipher }, { $path }
cli-bench-tune-reads-kept = Beim Lesen geht { $name } von jetzt an an den Warteschlangen des Kernels vorbei, auch nach dem nächsten Start: Es hilft hier.
cli-bench-tune-reads-not-kept = Beim Lesen bleibt { $name } beim üblichen Weg: Der kürzere hilft hier nicht.
cli-bench-tune-writes-kept = Beim Schreiben geht { $name } von jetzt an an den Warteschlangen des Kernels vorbei, auch nach dem nächsten Start: Es hilft hier.
cli-bench-tune-writes-not-kept = Beim Schreiben bleibt { $name } beim üblichen Weg: Der kürzere hilft hier nicht.
cli-bench-tune-no-writes = Das Schreiben wurde nicht ausprobiert und bleibt, wie es war: { $name } ist nicht eingehängt, oder es ist kein Platz für eine Testdatei.
cli-bench-discard = Ob das Laufwerk erfährt, was frei ist (Discard), wurde gelassen, wie es ist. Es hält eine SSD schnell und verrät dem, der das Laufwerk in der Hand hat, wie voll es ist und welches Dateisystem es hat.

## Passwörter

reason-cli-password-non-ascii = Das Passwort hat Buchstaben oder Zeichen, die manche Tastaturen nicht haben oder die verschieden gespeichert werden. Es öffnet überall, wo genau dieselben Bytes getippt werden.
reason-cli-password-bytes = Das Passwort ist kein Text und kann nicht getippt werden. Es geht nur aus einer Datei.
reason-cli-password-edge-space = Das Passwort beginnt oder endet mit einem Leerzeichen, das leicht vergessen wird.
reason-cli-password-weak = Dieses Passwort lässt sich erraten. Besser sind mehrere Wörter, die nicht zusammengehören.
fault-cli-password-empty = Das Passwort ist leer.
    .next = Wählen Sie eines aus wenigstens ein paar Wörtern, und versuchen Sie es noch einmal. Es wurde nichts verändert.
fault-cli-password-too-long = Das Passwort hat { $length }. Mehr als { $most_length } lassen sich an der Eingabe anderer Programme nicht tippen.
    .next = Wählen Sie ein kürzeres. Es wurde nichts verändert.
fault-cli-password-control = Im Passwort steht ein Zeilenumbruch oder ein anderes Steuerzeichen, das keine Eingabe annimmt.
    .next = Schreiben Sie es in eine Zeile der Datei. Ein Zeilenumbruch am Ende schadet nicht. Es wurde nichts verändert.
fault-cli-password-differs = Die beiden getippten Passwörter sind nicht gleich.
    .next = Rufen Sie den Befehl noch einmal auf. Es wurde nichts verändert.
fault-cli-nobody-to-ask = Es wird ein Passwort gebraucht, und niemand sitzt am Terminal, um es zu tippen.
    .next = Nennen Sie mit --password-file eine Datei, oder geben Sie es mit --password-file - über die Standardeingabe.
fault-cli-stdin-twice = Beide Passwörter können nicht aus der Standardeingabe kommen.
    .next = Legen Sie eines davon in eine Datei.
fault-cli-secret-file-missing = Es gibt keine Datei { $path }.
    .next = Prüfen Sie die Schreibweise, und ob der Stick eingesteckt ist.
fault-cli-secret-file-unreadable = Die Datei { $path } kann nicht gelesen werden.
    .next = Es muss eine Datei sein, kein Ordner, und Sie müssen sie lesen dürfen.
fault-cli-secret-not-text = Die Datei mit dem Wiederherstellungsschlüssel ist kein Text.
    .next = Wählen Sie das Blatt, das Latchkey geschrieben hat, oder eine Textdatei mit dem Schlüssel.
fault-cli-secret-too-large = Die Datei mit dem Passwort ist größer als { $most_size }.
    .next = Prüfen Sie, ob es die richtige Datei ist.

## Fehler der Befehlszeile

fault-cli-size = „{ $text }“ ist keine Größe.
    .next = Schreiben Sie eine Zahl mit einer Einheit, zum Beispiel 64M oder 2G.
fault-cli-size-limits = { $size } liegt nicht zwischen { $least_size } und { $most_size }.
    .next = Wählen Sie eine andere Größe.
fault-cli-needs-yes = Niemand sitzt am Terminal und kann gefragt werden.
    .next = Wenn Sie sicher sind, rufen Sie denselben Befehl mit --yes auf. Es wurde nichts verändert.
fault-cli-needs-sleep = Tiefschlaf würde dieses Laufwerk sperren, ohne dass etwas es öffnen könnte, und niemand sitzt am Terminal und kann gefragt werden, wie der Computer stattdessen schlafen soll.
    .next = Rufen Sie denselben Befehl mit „--sleep light“ oder „--sleep never“ auf; --yes genügt dafür nicht. Es wurde nichts verändert.
fault-cli-not-in-order = Das Dateisystem { $filesystem } auf { $path } wurde nicht richtig geschlossen oder hat Fehler, wie ein Stromausfall sie hinterlässt, und niemand sitzt am Terminal und kann gefragt werden, ob es in Ordnung gebracht werden darf.
    .next = Rufen Sie denselben Befehl mit --mend-file-system auf: e2fsck prüft es dann zuerst und bringt es in Ordnung; wo über eine Datei zu entscheiden wäre, hört es auf. Es wurde nichts verändert.
fault-cli-cut-smaller = Das Dateisystem auf { $path } wurde gerade für die Verschlüsselung verkleinert, als das abbrach. Noch ist nichts verschlüsselt, also gibt es keine Umwandlung, die weitergehen könnte.
    .next = Rufen Sie dasselbe „latchkey encrypt“ noch einmal auf: Es bringt das Dateisystem in Ordnung und macht weiter. „latchkey undo { $path }“ gibt stattdessen den Platz zurück.
fault-cli-declined = Es wurde nichts verändert.
    .next = Rufen Sie den Befehl auf, wann immer Sie möchten.
fault-cli-stopped = Angehalten. Auf { $path } ist alles noch da, zum Teil umgewandelt.
    .next = Weiter geht es mit: latchkey resume { $path }
fault-cli-file-exists = { $path } gibt es schon und wird nicht ersetzt.
    .next = Wählen Sie einen anderen Namen.
fault-cli-file-write = { $path } konnte nicht geschrieben werden.
    .next = Prüfen Sie, ob es den Ordner gibt und ob dort Platz ist.
fault-cli-file-read = { $path } konnte nicht gelesen werden.
    .next = Prüfen Sie die Schreibweise, und ob Sie es lesen dürfen.
fault-cli-not-a-backup = { $path } ist keine Kopie eines Kopfes: Es ist viel zu groß.
    .next = Wählen Sie die Datei, die `latchkey header backup` geschrieben hat. Es wurde nichts verändert.
fault-cli-bench-no-disk = Das Laufwerk unter { $path } ist von hier nicht zu sehen, also gibt es keine Kurve davon.
    .next = Messen Sie ohne --curve.
fault-cli-bench-no-figures = In { $path } steht keine Messung.
    .next = Machen Sie eine mit: latchkey bench disk ORDNER --json
fault-cli-no-temporary-folder = Es konnte kein vorübergehender Ordner angelegt werden.
    .next = Schaffen Sie Platz auf der Platte, oder setzen Sie TMPDIR auf einen Ordner, in den Sie schreiben dürfen. Es wurde nichts verändert.

## practice

cli-practice-begin =
    Dies ist eine Übung, an einem Laufwerk von { $size }, das eine Datei in { $path } ist.
    Alles geschieht wie an einem echten Laufwerk, und nichts von Ihnen wird angefasst.
cli-practice-made = Ein Übungslaufwerk ist angelegt: { $name }, { $size }, mit Briefen und Bildern darauf.
cli-practice-backup = An einem echten Laufwerk bestätigen Sie, dass Sie eine Sicherung haben. Hier gilt das als bestätigt.
cli-practice-suggestion = Ein Vorschlag, den jede Tastatur tippen kann: { $password }
cli-practice-empty-takes-it = Tippen Sie ein eigenes Passwort, oder drücken Sie die Eingabetaste, um den Vorschlag zu nehmen.
cli-practice-recovery = Der Wiederherstellungsschlüssel { $key_id } wurde nach { $folder } geschrieben, von dort zurückgelesen und hat den Kopf geöffnet, den das Laufwerk bekommt.
cli-practice-rescue = Die Rettungskopie wurde geschrieben und Byte für Byte zurückgelesen: { $path }
cli-practice-encrypt = Jetzt wird das Laufwerk verschlüsselt. Das darf jederzeit unterbrochen werden, auch durch den Strom.
cli-practice-report = So steht es jetzt, neu vom Laufwerk gelesen.
cli-practice-facts = { $size } verschlüsselt mit { $cipher }, Schlüssel von { $bits } Bit, Sektoren von { $sector } Byte. UUID { $uuid }.
cli-practice-back = Und der Weg zurück: Das Übungslaufwerk wird entschlüsselt und mit dem verglichen, was es war.
cli-practice-same = Jedes Byte ist, was es vorher war.
cli-practice-cleaned = Das Übungslaufwerk ist wieder entfernt. Ihr eigenes Laufwerk geht dieselben Schritte: latchkey status, latchkey check, latchkey encrypt.
cli-practice-kept = Das Übungslaufwerk ist noch da: { $path }. Auch sein Wiederherstellungsschlüssel und die Rettungskopie liegen in { $folder }. Versuchen Sie: latchkey status { $path }
cli-practice-enter = Weiter mit der Eingabetaste.
fault-cli-practice-folder = Das Übungslaufwerk kann in { $path } nicht angelegt werden.
    .next = Wählen Sie einen Ordner, in den Sie schreiben dürfen.
fault-cli-practice-stopped = Die Übung wurde abgebrochen und ihr Laufwerk entfernt.
    .next = Fangen Sie neu an mit: latchkey practice
fault-cli-practice-differs = Das Übungslaufwerk ist nicht mehr, was es vorher war. Das darf nie geschehen.
    .next = Bitte verschlüsseln Sie auf diesem Computer kein echtes Laufwerk, und melden Sie dies mit der Version von Latchkey.
fault-cli-practice-no-report = Die Übung kam ohne Bericht ans Ende.
    .next = Fangen Sie neu an mit: latchkey practice
fault-cli-no-randomness = Das System gibt keine Zufallszahlen her.
    .next = Starten Sie den Computer neu, und versuchen Sie es noch einmal.

## BitLocker, FileVault

cli-native-share = { $percent } % sind getan.
cli-native-close = Es ist schon verschlüsselt und steht offen. „encrypt“ sichert einen Wiederherstellungsschlüssel und schließt es; neu verschlüsselt wird nichts.
cli-native-policy = Dafür wird eine Richtlinie von Windows gesetzt, die die eigene Verschlüsselung des Laufwerks erlaubt; das Rückgängigmachen stellt sie zurück.
cli-native-ask-hardware = Soll das Laufwerk selbst verschlüsseln und die Richtlinie dafür gesetzt werden? Sonst verschlüsselt Windows. [j/N]
cli-native-ask-login = Das Passwort, mit dem Sie sich anmelden:
cli-native-restart = Starten Sie jetzt den Computer neu: Das prüft, ob er startet. Vorher wird nichts verschlüsselt. Danach weiter mit: latchkey resume { $path }
cli-native-key-opens = Dieser Wiederherstellungsschlüssel öffnet { $path }.
fault-cli-native-not-here = Dieses Volume verschlüsselt das System selbst; dieser Befehl ist für andere.
    .next = Sehen Sie unter „latchkey help“ nach. Geändert wurde nichts.
fault-cli-native-not-both = BitLocker nutzt die Verschlüsselung des Laufwerks oder den Prozessor, nie beide.
    .next = Wählen Sie eines: --method auto, software oder hardware. Geändert wurde nichts.
cli-practice-windows-begin = Ein Übungscomputer mit Windows, simuliert in { $path }. Sein BitLocker verhält sich, wie Microsoft es beschreibt.
cli-practice-windows-restart = Der Übungscomputer wird neu gestartet: Das ist der Teststart.
cli-practice-windows-kept = Der Übungscomputer bleibt in { $path }, der Wiederherstellungsschlüssel in { $folder }. Versuchen Sie damit als Ziel: latchkey status, check, decrypt, encrypt.
cli-native-by-system = Verschlüsselt würde vom System selbst (BitLocker, FileVault).
cli-native-by-drive = Verschlüsselt würde vom Laufwerk selbst, das BitLocker steuert.
cli-practice-windows-back = Und der Rückweg: Der Übungscomputer wird entschlüsselt.
cli-practice-windows-cleaned = Der Übungscomputer wurde entfernt. Auf einem richtigen Windows geht C: dieselben Schritte: latchkey status C:, latchkey check C:, latchkey encrypt C:

## key, erase

cli-key-line = { $keyslot }: { $kind } ({ $kdf })
cli-key-added = Das neue Passwort öffnet { $path } ebenfalls (Keyslot { $keyslot }). So nehmen Sie es wieder weg: latchkey key remove { $path } --keyslot { $keyslot }
cli-key-removed = Keyslot { $keyslot } von { $path } ist weg. Was ihn geöffnet hat, öffnet nichts mehr, außer in alten Kopien des Headers: Vernichten Sie diese oder machen Sie neue.
cli-key-enrolled = { $path } lässt sich jetzt auch so öffnen: { $kind } (Keyslot { $keyslot }). Ihr Passwort und der Wiederherstellungsschlüssel gelten weiter; nach einer Änderung der Firmware wird wieder danach gefragt.
cli-erase-plan = Alles auf { $path } wird für immer weg sein: Passwörter, Wiederherstellungsschlüssel und Header werden vernichtet. Das ist für ein Laufwerk, das verkauft, verschenkt oder weggeworfen wird.
cli-ask-erase = Um fortzufahren, tippen Sie den Namen des Laufwerks, wie er oben steht:
cli-erased = { $path } ist gelöscht: Niemand kann öffnen, was darauf war, weder mit dem Passwort noch mit einem Wiederherstellungsschlüssel. Vernichten Sie auch alle Kopien des Headers. Was übrig ist, ist Rauschen.
cli-erased-flash = Auf einer SSD oder einem Stick können alte Kopien des Headers an Stellen übrig sein, die nur das Laufwerk selbst erreicht. Hat das Laufwerk eine eigene Löschfunktion („Secure Erase“, „Sanitize“), nutzen Sie sie zusätzlich.
fault-cli-erase-name = Das ist nicht der Name des Laufwerks. Es wurde nichts geändert.
    .next = Tippen Sie den Namen genau so, wie er angezeigt wird, oder geben Sie ihn hinter --erase-drive-named an.

# Laufwerke, die sich selbst verschlüsseln
cli-sleep-why =
    Im Tiefschlaf (S3) verliert das Laufwerk den Strom und sperrt sich, und beim Aufwachen könnte nichts es öffnen. Deshalb muss der Computer anders schlafen, bis das Laufwerk zurückgegeben wird:
      1  leicht: das Laufwerk behält Strom, und der Akku hält weniger lang
      2  gar nicht: schließen Sie, woran Sie arbeiten, und schalten Sie den Computer aus; der Ruhezustand geht weiterhin
cli-ask-sleep = Wie soll er schlafen? [1/2, alles andere bricht hier ab]
cli-opal-image = Das Startabbild liegt in { $file } ({ $size }). Es enthält kein Geheimnis.
cli-opal-locked = { $path } ist gesperrt.
cli-opal-unlocked = { $path } ist offen, bis sein Strom weg ist.
cli-opal-nothing-closed = Kein Laufwerk ist gesperrt.
cli-opal-given-back = { $path } wurde zurückgegeben, wie es war. Nichts darauf hat sich geändert, und es fragt nach keinem Passwort.
cli-opal-saved = Der Kernel öffnet { $path }, wenn der Computer aufwacht.
cli-opal-at-start-key = Das System öffnet { $path } bei jedem Start. Der Schlüssel liegt auf dem verschlüsselten Systemlaufwerk und ist nur für den Verwalter lesbar.
cli-opal-at-start-asks = Das System fragt bei jedem Start nach dem Passwort von { $path }.
cli-opal-at-start-off = Beim Start öffnet nichts mehr { $path }. Öffnen Sie es mit „latchkey opal unlock“.
cli-opal-reverted = { $path } wurde zurückgesetzt. Alles darauf ist weg. Schalten Sie den Computer zehn Sekunden aus, bevor Sie es benutzen.
cli-opal-revert-warning = Das LÖSCHT ALLES auf „{ $name }“, für immer. Kein Passwort bringt es zurück.
cli-ask-opal-name = Um fortzufahren, geben Sie den Namen des Laufwerks ein:
cli-ask-opal-give-back = Die eigene Verschlüsselung des Laufwerks abnehmen? Jede Datei bleibt, wenn sich das Laufwerk an die Norm hält: Haben Sie eine Sicherung. [j/N]
cli-hardware-plan =
    { $path }: { $size }, verschlüsselt vom Laufwerk selbst, in Sekunden. Nichts wird verschoben.
    Der Wiederherstellungsschlüssel kommt nach { $folder }.
cli-hardware-power-off = { $path } sperrt sich von jetzt an selbst. Gesehen wurde das noch nicht: Schalten Sie den Computer zehn Sekunden aus, schalten Sie ihn ein und öffnen Sie es mit „latchkey opal unlock“. „latchkey opal discover“ sagt dann, ob es gesperrt gesehen wurde.
cli-hardware-test-start = { $path } ist vorbereitet, und noch ist nichts gesperrt. Jetzt der Probestart: Schalten Sie den Computer aus (nicht neu starten), warten Sie zehn Sekunden und schalten Sie ihn ein. Er fragt nach Ihrem Passwort, bevor das System startet. Rufen Sie dann diesen Befehl noch einmal auf, und das Laufwerk wird gesperrt.
cli-practice-opal-test = Dem Laufwerk wird der Strom genommen und wiedergegeben; es zeigt sein Startabbild statt der Dateien, und das Passwort öffnet es. Noch ist nichts gesperrt.
cli-practice-opal-encrypt = Jetzt sperrt sich das ganze Laufwerk, sobald sein Strom weg ist. Dann wird ihm der Strom genommen, um es zu sehen.
cli-practice-opal-facts = { $size } in { $seconds } vom Laufwerk selbst gesperrt. Notiz { $id }.
cli-practice-opal-locked = Das Übungslaufwerk war wieder ohne Strom und ist zu: Niemand liest eine Datei darauf.
cli-practice-opal-recovery = Der Wiederherstellungsschlüssel vom Stick hat es geöffnet, und jedes Byte ist da.
cli-practice-opal-back = Und der Weg zurück: Das Laufwerk wird zurückgegeben, wie es war.
fault-cli-opal-partly = Einige Laufwerke wurden geöffnet, andere haben ein anderes Passwort.
    .next = Rufen Sie es noch einmal mit dem Passwort der anderen auf.
fault-cli-no-note = In { $path } ist keine Notiz von Latchkey.
    .next = Geben Sie das Laufwerk selbst an, ein Rettungsabbild, oder was aus dem Shadow-MBR oder DataStore des Laufwerks gelesen wurde.
fault-cli-profile = Es gibt kein Übungslaufwerk der Sorte „{ $name }“.
    .next = Nehmen Sie einen der Namen in der Dokumentation der Bibliothek „opal“.
