# Was das Fenster selbst sagt. Fehler, Gründe, Bedingungen und Inhalte stehen in den Dateien der Bausteine.

## Rahmen

window-title = Latchkey
window-loading = Einen Augenblick …
window-language = Sprache
window-language-en = English
window-language-de = Deutsch
window-steps = Schritte
window-step-of = Schritt { $number } von { $total-steps }: { $name }
window-step-state-done = erledigt
window-practice = Übungslaufwerk: Nichts von Ihnen wird berührt
window-practice-name = das Übungslaufwerk
window-back = Zurück
window-next = Weiter
window-details = Einzelheiten
window-wait = Einen Augenblick …
window-busy = Latchkey arbeitet gerade. Danach geht es hier weiter.
fault-window-refused = Das hat nicht geklappt.
    .next = { $sentence }
fault-window-broken = Das Fenster erreicht den Teil von Latchkey nicht, der die Arbeit macht.
    .next = Schließen Sie das Fenster und öffnen Sie es wieder. Es ist nichts verloren: Es geht dort weiter, wo es stehen geblieben ist.

window-phase-choose = Auswählen
window-phase-keys = Ihre Schlüssel
window-phase-try = Ausprobieren
window-phase-encrypt = Verschlüsseln

window-step-drives = Laufwerk
window-step-check = Prüfung
window-step-before = Bevor es losgeht
window-step-password = Passwort
window-step-recovery = Wiederherstellung
window-step-rescue = Rettungskopie
window-step-bench-before = Tempo vorher
window-step-test-start = Probestart
window-step-encrypt = Verschlüsselung
window-step-bench-after = Tempo nachher
window-step-report = Bericht

## Wörter, die an vielen Stellen stehen


window-outcome-pass = In Ordnung
window-outcome-warn = Bitte beachten
window-outcome-fail = Nicht erfüllt
window-outcome-unknown = Nicht zu erkennen

window-checklist-passed = { $count ->
    [one] Eine Sache ist in Ordnung.
   *[other] { $count } Dinge sind in Ordnung.
}
window-checklist-unknown = { $count ->
    [one] Eine Sache war nicht zu erkennen. Sie steht nicht im Weg.
   *[other] { $count } Dinge waren nicht zu erkennen. Sie stehen nicht im Weg.
}
window-checklist-all = Alle im Einzelnen

window-duration-seconds = { $count ->
    [one] etwa eine Sekunde
   *[other] etwa { $count } Sekunden
}
window-duration-minutes = { $count ->
    [one] etwa eine Minute
   *[other] etwa { $count } Minuten
}
window-duration-hours = { $count ->
    [one] etwa eine Stunde
   *[other] etwa { $count } Stunden
}

window-password-show = Zeigen
window-password-hide = Verbergen
window-password-show-label = { $field } zeigen
window-caps-lock = Die Feststelltaste ist an.

window-choose-folder = Ordner auswählen …
window-place-free = { $free } frei

window-progress-percent = { $percent } %
window-progress-amount = { $done } von { $total }
window-progress-announce = { $work }: { $percent } Prozent.
window-progress-announce-left = { $work }: { $percent } Prozent, noch { $duration }.
window-paused = Angehalten

window-work-check = Das Laufwerk wird geprüft
window-work-make-room = Platz für das Schloss wird gemacht
window-work-derive-key = Der Schlüssel wird gemacht
window-work-header = Das Schloss wird eingesetzt
window-work-encrypt = Verschlüsseln
window-work-decrypt = Entschlüsseln
window-work-benchmark = Messen
window-work-write = Schreiben
window-work-verify = Das Geschriebene wird zurückgelesen

## Laufwerke

window-computer-looking = Dieser Computer wird angesehen …
window-computer-looking-lead = Latchkey sieht nur nach. Es verändert nichts.
window-computer-protected = Dieser Computer ist geschützt
window-computer-not-protected = Dieser Computer ist nicht geschützt
window-computer-partly-protected = Dieser Computer ist nur zum Teil geschützt
window-computer-suspended = Der Schutz dieses Computers ist ausgesetzt
window-computer-converting = Dieser Computer ist halb verschlüsselt
window-computer-locked = Dieser Computer ist verschlüsselt und verschlossen
window-computer-unknown = Noch ist nicht klar, ob dieser Computer geschützt ist
window-computer-places = { $count ->
    [one] Wo darauf Daten liegen: ein Ort
   *[other] Wo darauf Daten liegen: { $count } Orte
}

window-drives-title = Welches Laufwerk möchten Sie schützen?
window-drives-lead = Ein verschlüsseltes Laufwerk kann niemand lesen, der Ihr Passwort nicht hat. Das hier sind die Laufwerke dieses Computers, und so sicher ist heute jedes von ihnen.
window-drives-practice = Erst einmal üben
window-drives-practice-text = Ein Übungslaufwerk ist eine Datei mit Beispieldateien darin. Der ganze Weg dauert etwa fünf Minuten, und nichts von Ihnen wird berührt.
window-drives-yours = Laufwerke dieses Computers
window-drives-by-itself = Was Sie einstecken oder herausziehen, wird von selbst bemerkt.
window-drives-again = Noch einmal nachsehen
window-drives-none = Von hier aus ist kein Laufwerk zu sehen. Sie können üben oder eine Abbilddatei öffnen.
window-drives-image = Abbilddatei öffnen …
window-drives-image-hint = Ein Abbild ist ein ganzes Laufwerk in einer Datei.
window-drives-encrypt = Verschlüsseln …
window-drives-encrypt-label = { $name } verschlüsseln …
window-drives-resume = Fortsetzen …
window-drives-resume-label = Mit { $name } weitermachen …
window-drives-look = Ansehen, was darauf ist
window-drives-look-label = Ansehen, was auf { $name } ist
window-drives-look-all = Jedes Laufwerk ansehen
window-drives-why-short = Warum?
window-drives-why-label = Warum? ({ $name })
window-drives-check = Prüfen …
window-drives-check-label = { $name } prüfen …
window-drives-system = Ihr System läuft davon
window-drives-seen = Was dort zu sehen war
window-drives-seen-at = { $value } ({ $origin })
window-drives-mounted = geöffnet unter { $place }
window-drives-in-use = in Gebrauch
window-drives-why = Warum überhaupt ein Laufwerk verschlüsseln?
window-drives-why-text = Ihr Anmeldepasswort schützt Ihre Dateien nicht, wenn jemand das Laufwerk aus dem Computer nimmt. Wer es findet oder stiehlt, kann alles lesen: Briefe, Bilder, gespeicherte Passwörter. Auf einem verschlüsselten Laufwerk findet er nur Rauschen.
window-drives-blocked = Wählen Sie oben ein Laufwerk aus.
window-drives-chosen = Ausgewählt: { $name }

window-rights-title = { $count ->
    [one] Einen Datenträger kann nur ein Administrator ansehen
   *[other] { $count } Datenträger kann nur ein Administrator ansehen
}
window-rights-text = Bis dahin ist die Antwort „unbekannt“. Sie werden einmal gefragt. Latchkey liest dann nur und gibt das Recht zurück, wenn Sie dieses Fenster schließen.
window-rights-cannot = Bis dahin ist die Antwort „unbekannt“. Ein Administrator sieht alles im Terminal mit:
window-rights-ask = Als Administrator ansehen …
window-rights-granted = Mit Administratorrechten angesehen.

window-news-in = { $name } wurde eingesteckt: { $verdict }.
window-news-out = { $name } wurde herausgezogen.
window-news-now = { $name }: jetzt { $verdict }.

window-bus-nvme = Eingebautes SSD-Laufwerk
window-bus-ata = Eingebautes Laufwerk
window-bus-usb = USB-Laufwerk
window-bus-mmc = Speicherkarte
window-bus-virtual = Virtuelles Laufwerk
window-bus-image = Abbilddatei
window-bus-unknown = Laufwerk

## Prüfung

window-check-title-looking = Latchkey sieht sich { $name } an
window-check-title-ok = { $name } kann verschlüsselt werden
window-check-title-fail = { $name } kann noch nicht verschlüsselt werden
window-check-title-done = { $name } ist schon verschlüsselt
window-check-lead-done = Hier ist nichts zu tun. Das hat Latchkey gesehen.
window-check-lead = Latchkey hat sich das Laufwerk angesehen und nichts verändert. Das hat es gesehen.
window-check-lead-fail = Etwas steht im Weg. Es wurde nichts verändert. Die Liste sagt, was es ist und was Sie tun können.
window-check-list = Was geprüft wurde
window-check-method = So wird verschlüsselt
window-check-method-software = Durch den Prozessor dieses Computers
window-check-method-software-text = Im Format LUKS2, das jedes Linux-System auch ohne Latchkey öffnen kann.
window-check-method-hardware = Durch das Laufwerk selbst
window-check-method-hardware-text = Das Laufwerk verschlüsselt, was es speichert. Wie gut es das tut, kann außer dem Hersteller niemand prüfen.
window-check-method-both = Durch den Prozessor und durch das Laufwerk
window-check-method-both-text = Beides übereinander: Versagt das eine, schützt noch das andere.
window-check-reasons = Warum auf diese Weise?
window-check-room = Was sich auf dem Laufwerk ändert

window-check-able = Was dieser Computer und dieses Laufwerk können
window-check-able-text = Für die eigene Verschlüsselung des Laufwerks und zum Starten eines verschlüsselten Systems. Nichts davon steht dem im Weg, was oben gesagt ist.
window-sleep = Wie dieser Computer von da an schläft
window-sleep-text = Im Tiefschlaf verliert das Laufwerk den Strom und sperrt sich, und beim Aufwachen könnte nichts es öffnen. Deshalb muss sich etwas ändern, und Sie sagen, was. Wollen Sie keines von beiden, dann lassen Sie den Prozessor verschlüsseln. Wird das Laufwerk zurückgegeben, schläft der Computer wieder wie heute.
window-sleep-light = Er schläft leicht
window-sleep-light-text = Das Laufwerk behält Strom. Der Computer wacht schneller auf, und sein Akku hält im Schlaf weniger lang.
window-sleep-never = Er schläft nicht
window-sleep-never-text = Zuklappen oder Warten schickt ihn nicht mehr schlafen: Schalten Sie ihn aus, wenn Sie fertig sind. Der Ruhezustand geht weiterhin.
window-space = Wie viel verschlüsselt wird
window-space-all = Das ganze Laufwerk
window-space-all-text = Jede Stelle, ob eine Datei sie benutzt oder nicht. Nichts von dem, was je gelöscht wurde, bleibt lesbar.
window-space-used = Nur, was benutzt wird
window-space-used-text = { $free }, die keine Datei benutzt, werden ausgelassen, und das Laufwerk darf sie aufgeben. Das geht schneller und schont das Laufwerk. Stücke von Dateien, die Sie früher gelöscht haben, können dort lesbar bleiben, bis etwas darüber geschrieben wird.
window-space-overwrite = Was benutzt wird, und der Rest wird überschrieben
window-space-overwrite-text = { $free }, die keine Datei benutzt, werden überschrieben, ohne vorher gelesen zu werden. Nichts von dem, was je gelöscht wurde, bleibt lesbar.
window-space-advised = empfohlen
window-space-change = Für Fortgeschrittene: selbst wählen, wie viel

## Vorher

window-before-title = Bevor es losgeht
window-before-lead = Latchkey geht einmal über das ganze Laufwerk. Sie können anhalten, und auch wenn mittendrin der Strom ausfällt, geht nichts verloren. Aber jedes Laufwerk geht irgendwann kaputt, ob verschlüsselt oder nicht.
window-before-backup = Von allem auf diesem Laufwerk, was ich nicht verlieren will, habe ich eine zweite Kopie
window-before-backup-practice = Auf dem Übungslaufwerk sind nur Beispieldateien. Setzen Sie das Häkchen, wie Sie es bei einem echten Laufwerk tun würden.
window-before-backup-hint = Zum Beispiel auf einem anderen Laufwerk, das gerade nicht angeschlossen ist.
window-before-conditions = Was Latchkey sich angesehen hat
window-before-time = Wie lange es dauern wird
window-before-time-known = Für { $size } braucht es { $duration }. Sie können den Computer dabei benutzen.
window-before-time-unknown = Das hängt davon ab, wie schnell das Laufwerk ist. Latchkey sagt es Ihnen, sobald es gemessen hat.
window-before-why = Warum eine Sicherung, wenn nichts verloren geht?
window-before-why-text = Beim Verschlüsseln wird jede Stelle des Laufwerks gelesen und geschrieben. Ein Laufwerk, das schon schwächelt, zeigt es vielleicht genau dann. Mit einer zweiten Kopie ist das ärgerlich, ohne sie ein Verlust.

## Passwort

window-password-title = Wählen Sie ein Passwort
window-password-lead = Sie tippen es jedes Mal, wenn das Laufwerk geöffnet wird. Niemand kann es für Sie nachsehen oder zurücksetzen. Einige Wörter hintereinander sind schwer zu erraten und leicht zu merken.
window-password-field = Passwort
window-password-repeat = Dasselbe Passwort noch einmal
window-password-strength = Wie schwer es zu erraten ist
window-password-strength-0 = Sehr leicht zu erraten
window-password-strength-1 = Leicht zu erraten
window-password-strength-2 = Könnte besser sein
window-password-strength-3 = Schwer zu erraten
window-password-strength-4 = Sehr schwer zu erraten
window-password-strength-none = Noch nichts getippt
window-password-suggest = Vorschlag machen
window-password-suggest-again = Ein anderer
window-password-suggestion = Ein Vorschlag für Sie
window-password-suggestion-text = Schreiben Sie ihn auf Papier und bewahren Sie das Papier zu Hause auf. Tippen Sie ihn dann in beide Felder. Alle Buchstaben liegen auf englischen, deutschen und französischen Tastaturen auf denselben Tasten, sodass er an jedem Startbildschirm funktioniert.
window-password-guesses = Wer ein Passwort nach dem anderen durchprobiert, braucht eine Zahl von Versuchen mit etwa { $digits } Stellen.
window-password-kept = Ein Passwort ist schon gewählt. Lassen Sie beide Felder leer, um es zu behalten.
window-password-match = Beide sind gleich.
window-password-blocked-empty = Tippen Sie zuerst ein Passwort.
window-password-blocked-weak = Dieses Passwort ist zu leicht zu erraten.
window-password-blocked-repeat = Tippen Sie dasselbe Passwort in das zweite Feld.
window-password-blocked-differ = Die beiden Passwörter sind noch nicht gleich.

## Wiederherstellungsschlüssel

window-recovery-title = Bewahren Sie einen Wiederherstellungsschlüssel auf
window-recovery-lead = Er öffnet das Laufwerk, wenn Sie einmal Ihr Passwort vergessen. Es geht weiter, sobald eine Kopie davon gezeigt hat, dass sie funktioniert: auf einem Stick oder auf Papier.
window-recovery-why = Wozu brauche ich den?
window-recovery-why-text = Ein vergessenes Passwort lässt sich nicht zurücksetzen: Gerade das macht das Laufwerk sicher. Der Wiederherstellungsschlüssel ist Ihr zweiter Weg hinein. Bewahren Sie ihn dort auf, wo weder ein Dieb noch ein Brand beides erwischt, den Computer und den Schlüssel.
window-recovery-stick = Auf einem USB-Stick
window-recovery-stick-text = Latchkey speichert den Schlüssel, liest ihn vom Stick zurück und öffnet damit das Schloss. Dann ist die Kopie geprüft.
window-recovery-stick-none = Gerade ist kein Stick zu sehen. Stecken Sie einen ein, oder wählen Sie einen Ordner auf einem anderen Laufwerk.
window-recovery-save = Auf { $name } speichern
window-recovery-paper = Auf Papier
window-recovery-paper-text = Schreiben Sie ihn ab oder drucken Sie ihn, und tippen Sie ihn dann vom Papier zurück. So wissen Sie, dass jeder Buchstabe stimmt.
window-recovery-show = Schlüssel zeigen
window-recovery-hide = Schlüssel verbergen
window-recovery-print = Drucken …
window-recovery-save-page = Seite als PDF speichern …
window-recovery-read = Scan oder Foto des Blatts einlesen …
window-recovery-type = Ich habe ihn auf Papier
window-recovery-id = Kennung des Schlüssels
window-recovery-check-letters = Prüfbuchstaben { $letters }
window-recovery-check-hint = Die kleinen Buchstaben neben jeder Gruppe dienen nur zur Prüfung. Sie brauchen sie nicht zu tippen.
window-recovery-typing = Tippen Sie den Schlüssel von Ihrem Papier
window-recovery-typing-hint = Acht Gruppen mit acht Buchstaben. Der Cursor springt von selbst weiter. Groß oder klein ist gleichgültig.
window-recovery-group = Gruppe { $number } von 8
window-recovery-group-right = Gruppe { $number } stimmt.
window-recovery-group-wrong = Gruppe { $number } weicht vom Schlüssel ab. Bitte vergleichen Sie sie mit Ihrem Papier.
window-recovery-check = Prüfen, was ich getippt habe
window-recovery-look = Den Schlüssel noch einmal ansehen
window-recovery-proven = Geprüfte Kopien
window-recovery-copy-stick = Auf dem Stick „{ $place }“: zurückgelesen, und sie hat das Schloss geöffnet.
window-recovery-copy-folder = Im Ordner { $place }: zurückgelesen, und sie hat das Schloss geöffnet.
window-recovery-copy-paper = Auf Papier: zurückgetippt, und sie hat das Schloss geöffnet.
window-recovery-copy-scan = Auf Papier: Der Code wurde aus { $place } gelesen und hat das Schloss geöffnet. Löschen Sie dieses Bild: Wer es hat, hat den Schlüssel.
window-recovery-copy-file = In der Datei { $place }: gelesen, und sie hat das Schloss geöffnet.
window-recovery-blocked-group = Einige Gruppen stimmen noch nicht.
window-recovery-blocked-typing = Tippen Sie alle acht Gruppen.

window-sheet-title = Wiederherstellungsschlüssel
window-sheet-drive = Laufwerk
window-sheet-size = Größe
window-sheet-date = Gedruckt am
window-sheet-id = Kennung
window-sheet-use = Dieser Schlüssel öffnet das Laufwerk, wenn das Passwort vergessen ist. Tippen Sie die acht Gruppen dort, wo nach dem Passwort gefragt wird, in kleinen Buchstaben und mit den Bindestrichen zwischen den Gruppen: erste Gruppe, Bindestrich, zweite Gruppe und so weiter.
window-sheet-checks = Die kleinen Buchstaben unter jeder Gruppe dienen nur zur Prüfung und gehören nicht zum Schlüssel.
window-sheet-keep = Bewahren Sie dieses Blatt getrennt vom Computer auf. Wer dieses Blatt und das Laufwerk hat, kann alles lesen, was darauf ist.

## Rettungskopie

window-rescue-title = Machen Sie eine Rettungskopie
window-rescue-lead = Der Anfang eines verschlüsselten Laufwerks ist sein Schloss. Wird er einmal beschädigt, bringt die Rettungskopie ihn zurück. Die Kopie allein öffnet nichts: Ihr Passwort oder der Wiederherstellungsschlüssel gehört immer dazu.
window-rescue-where = Wo soll sie gespeichert werden?
window-rescue-where-text = Auf einem Stick oder einem anderen Laufwerk, nicht auf dem, das verschlüsselt wird. Latchkey schreibt eine Abbilddatei und liest jedes Byte davon zurück.
window-rescue-save = Auf { $name } speichern
window-rescue-written = Geschrieben, Byte für Byte zurückgelesen, und das Schloss darin wurde geöffnet.
window-rescue-written-unverified = Geschrieben, aber noch nicht zurückgelesen.
window-rescue-later = Von dieser Kopie startet der Computer nicht. Einen Stick, der das kann, macht man in einem Terminal, mit: latchkey rescue make
window-rescue-skip = Ohne Rettungskopie weiter
window-rescue-skip-title = Ich möchte jetzt keine
window-rescue-skip-text = Ohne sie heißt ein Schaden an den ersten Megabytes des Laufwerks, dass sich nichts darauf mehr öffnen lässt, auch nicht mit dem richtigen Passwort.
window-rescue-skipped = Sie wollten ohne Rettungskopie weitermachen. Sie können hier immer noch eine anlegen.
window-rescue-blocked = Speichern Sie eine Rettungskopie, oder öffnen Sie „Ich möchte jetzt keine“.

## Messen

window-bench-before-title = So schnell ist das Laufwerk jetzt: messen Sie es
window-bench-before-title-done = So schnell ist das Laufwerk jetzt
window-bench-before-lead = Nach der Verschlüsselung misst Latchkey noch einmal, und Sie sehen, was sich geändert hat. Es dauert etwa eine halbe Minute. Ihre Dateien bleiben unberührt.
window-bench-after-title = Wie schnell ist das verschlüsselte Laufwerk?
window-bench-after-title-done = Das ist der Unterschied
window-bench-after-lead = Dieselbe Messung wie vorher, am selben Laufwerk. Es dauert etwa eine halbe Minute.
window-bench-measure = Jetzt messen
window-bench-again = Noch einmal messen
window-bench-skip = Nicht messen
window-bench-measuring = Es wird gemessen …
window-bench-large = Große Dateien
window-bench-small = Viele kleine Stücke
window-bench-small-hint = wie beim Starten von Programmen
window-bench-large-hint = wie beim Kopieren eines Films
window-bench-processor = Verschlüsseln
window-bench-processor-hint = wie schnell der Prozessor dieses Computers das kann
window-bench-before = Vorher
window-bench-after = Nachher
window-bench-cipher = Dieser Computer kann { $rate } verschlüsseln.
window-bench-kdf = Das Öffnen mit dem Passwort dauert { $duration }. Das bremst alle, die raten.
window-bench-none = Kein messbarer Unterschied
window-bench-slower = { $percent } % langsamer
window-bench-faster = { $percent } % schneller
window-bench-summary-none = Es gibt keinen messbaren Unterschied. Sie werden nicht merken, dass das Laufwerk verschlüsselt ist.
window-bench-summary-slower = Der größte Unterschied: { $what } ist { $percent } % langsamer als vorher.
window-bench-summary-faster = Nichts ist langsamer geworden. Die Unterschiede liegen an der Messung selbst.
window-bench-summary-single = Es gibt nichts zu vergleichen, denn vorher wurde nicht gemessen.
window-bench-table = Alle Zahlen
window-bench-table-test = Messung
window-bench-table-median = Mittlerer Wert
window-bench-table-range = Kleinster bis größter
window-bench-range = { $low } bis { $high }
window-bench-small-read = das Starten von Programmen
window-bench-small-write = das Speichern vieler kleiner Dinge
window-bench-large-read = das Öffnen einer großen Datei
window-bench-large-write = das Speichern einer großen Datei
window-bench-save = Diesen Bericht speichern …
window-bench-saved = Der Bericht liegt in { $path }.
window-bench-blocked = Messen Sie, oder lassen Sie es aus.

## Probestart

window-test-title = Probieren Sie Ihr Passwort einmal aus
window-test-title-passed = Ihr Passwort funktioniert
window-test-lead = So werden Sie gefragt, wenn das Laufwerk geöffnet wird. Noch ist nichts verschlüsselt, ein Fehler kostet also nichts.
window-test-lead-passed = Es hat das Schloss, das Ihr Laufwerk bekommt, wirklich geöffnet. Sie können weitergehen.
window-test-screen = Nachbildung eines Startbildschirms
window-test-prompt = Bitte das Passwort für { $name } eingeben
window-test-unlock = Aufschließen
window-test-wrong = { $count ->
    [one] Damit ging es nicht auf.
   *[other] Damit ging es nicht auf. Versuche bisher: { $count }
}
window-test-passed = Aufgeschlossen
window-test-help-title = Es geht nicht auf?
window-test-help = Sehen Sie nach, ob die Feststelltaste an ist und ob Ihre Tastatur auf die Sprache eingestellt ist, in der Sie das Passwort gewählt haben. Wenn Sie nicht mehr sicher sind, was Sie getippt haben, gehen Sie zurück und wählen Sie ein neues Passwort. Es ist noch nichts geschehen.
window-test-blocked = Tippen Sie Ihr Passwort wie am Startbildschirm.

## Verschlüsselung

window-encrypt-title-ready = Alles ist bereit
window-encrypt-lead-ready = Latchkey verschlüsselt nun { $name }. Alle Dateien bleiben, wo sie sind.
window-encrypt-ready-password = Ihr Passwort wurde ausprobiert und funktioniert.
window-encrypt-ready-recovery = { $count ->
    [one] Eine Kopie des Wiederherstellungsschlüssels ist geprüft.
   *[other] { $count } Kopien des Wiederherstellungsschlüssels sind geprüft.
}
window-encrypt-ready-rescue = Die Rettungskopie wurde geschrieben und zurückgelesen.
window-encrypt-ready-rescue-skipped = Es gibt keine Rettungskopie.
window-encrypt-ready-time = Es dauert { $duration }.
window-encrypt-ready-safe = Sie können jederzeit anhalten, das Fenster schließen oder den Computer ausschalten. Es geht nichts verloren.
window-encrypt-start = Jetzt verschlüsseln
window-encrypt-title-running = Latchkey verschlüsselt Ihr Laufwerk
window-encrypt-lead-running = Sie können dieses Fenster jederzeit schließen. Es geht nichts verloren: Wenn Sie es wieder öffnen, geht es weiter.
window-encrypt-title-paused = Angehalten
window-encrypt-lead-paused = Alles ist in einem sicheren Zustand. Sie können weitermachen, wann Sie möchten, auch erst morgen.
window-encrypt-pause = Anhalten
window-encrypt-resume = Weitermachen
window-encrypt-title-resume = Machen Sie weiter, wo Sie aufgehört haben
window-encrypt-lead-resume = Das Laufwerk ist zum Teil verschlüsselt, und nichts ist verloren. Tippen Sie Ihr Passwort, und Latchkey macht dort weiter, wo es aufgehört hat.
window-encrypt-lead-resume-ready = Das Laufwerk ist zum Teil verschlüsselt, und nichts ist verloren. Latchkey macht dort weiter, wo es aufgehört hat.
window-encrypt-password = Ihr Passwort
window-encrypt-blocked-password = Tippen Sie Ihr Passwort, um weiterzumachen.
window-encrypt-blocked-running = Weiter geht es, wenn das Laufwerk verschlüsselt ist.
window-encrypt-title-finished = Das Laufwerk ist verschlüsselt
window-encrypt-lead-finished = Jeder Teil davon ist verschlüsselt und sicher auf dem Laufwerk.
window-encrypt-progress = Fortschritt der Verschlüsselung
window-encrypt-done = Erledigt
window-encrypt-rate = Tempo
window-encrypt-left = Restzeit
window-encrypt-left-unknown = wird gerade ermittelt

## Bericht

window-report-title-protected = { $name } ist geschützt
window-report-title-other = { $name } ist nicht ganz geschützt
window-report-files = { $total-files ->
    [one] Die Datei darauf ist da und unverändert.
   *[other] Alle { $total-files } Dateien darauf sind da und unverändert.
}
window-report-files-missing = { $same } von { $total-files } Dateien sind da und unverändert. Bitte löschen Sie Ihre Sicherung nicht.
window-report-time = { $size } wurden verschlüsselt, Dauer: { $duration }.
window-report-keep = Was Sie aufbewahren sollten
window-report-keep-password = Ihr Passwort
window-report-keep-password-text = Im Kopf, oder zu Hause auf Papier.
window-report-keep-recovery = Den Wiederherstellungsschlüssel { $key }
window-report-keep-recovery-text = Getrennt vom Computer. Er ist hier:
window-report-copy-stick = auf dem Stick „{ $place }“
window-report-copy-folder = im Ordner { $place }
window-report-copy-paper = auf Ihrem Papier
window-report-copy-scan = auf Ihrem Papier, aus einem Scan gelesen
window-report-copy-file = in der Datei { $place }
window-report-keep-rescue = Die Rettungskopie
window-report-keep-no-rescue = Es gibt keine Rettungskopie. Sie können später eine anlegen.
window-report-next = Und jetzt?
window-report-next-practice = Sie haben den ganzen Weg gesehen. Ihr eigenes Laufwerk nimmt dieselben Schritte.
window-report-next-open = Wenn Sie das Laufwerk das nächste Mal öffnen, fragt Ihr System nach dem Passwort. Latchkey brauchen Sie dazu nicht.
window-report-next-open-by-drive = War es ohne Strom, öffnet sich das Laufwerk nur mit Ihrem Passwort oder dem Wiederherstellungsschlüssel.
window-report-next-power-off = Es sperrt sich, wenn es den Strom verliert. Schalten Sie den Computer aus, bevor Sie ihn allein lassen: Nach einem Neustart oder im Schlaf kann das Laufwerk offen sein.
window-report-next-backup = Sichern Sie Ihre Dateien weiterhin. Verschlüsselung schützt vor Fremden, nicht vor einem Laufwerk, das kaputtgeht.
window-report-again = Ein anderes Laufwerk verschlüsseln
window-report-details = Technische Einzelheiten
window-report-cipher = Verfahren
window-report-key-bits = Länge des Schlüssels
window-report-bits = { $bits } Bit
window-report-sector = Sektor
window-report-uuid = UUID

# Verschlüsseln durch das Laufwerk selbst
window-encrypt-lead-finished-by-drive = Das Laufwerk sperrt sich von jetzt an selbst. Ihm wurde der Strom genommen, es war zu, und Ihr Passwort hat es geöffnet.
window-encrypt-lead-ready-by-drive = { $name } sperrt sich von jetzt an, sobald der Strom weg ist. Das dauert Sekunden, und keine Datei wird verschoben.
window-encrypt-lead-running-by-drive = Das Laufwerk wird gesperrt, und ihm wird kurz der Strom genommen. Das dauert Sekunden.
window-encrypt-start-by-drive = Sperre einschalten
window-test-lead-by-drive = Dem Laufwerk wird der Strom genommen und wiedergegeben, und es fragt wie bei jedem Start. Noch ist nichts gesperrt, ein Fehler kostet also nichts.
window-test-lead-passed-by-drive = Das Laufwerk war ohne Strom, hat gefragt wie bei jedem Start, und Ihr Passwort hat es geöffnet. Sie können weitergehen.
window-report-time-by-drive = { $size } wurden in { $duration } gesperrt.
window-report-by-drive = Verschlüsselt von
window-report-by-drive-text = dem Laufwerk selbst
window-drives-native = Verschlüsselung des Systems
window-drives-native-label = Verschlüsselung des Systems für { $name }
window-drives-practice-windows = Mit BitLocker üben, auf einem simulierten Windows
window-drives-practice-hardware = Mit einem Laufwerk üben, das selbst verschlüsselt
window-check-method-change = Ein anderer Weg
window-check-method-choice = Wer verschlüsselt
window-before-lead-by-drive = Das Laufwerk wird so eingestellt, dass es sich selbst sperrt. Das dauert Sekunden, keine Datei wird bewegt, und auch wenn mittendrin der Strom ausfällt, geht nichts verloren. Aber jedes Laufwerk geht irgendwann kaputt, ob verschlüsselt oder nicht.
window-before-time-by-drive = Wenige Sekunden, wie groß das Laufwerk auch ist.
window-encrypt-ready-safe-by-drive = Wenn mittendrin der Strom ausfällt, geht nichts verloren: Latchkey macht von dort aus weiter.
window-rescue-lead-by-drive = Das Laufwerk bildet sein Schloss aus Ihrem Passwort und einer Notiz, die auf ihm steht. Die Rettungskopie bewahrt diese Notiz auf, damit sich das Laufwerk auch in Jahren ohne Latchkey öffnen lässt. Sie allein öffnet nichts: Ihr Passwort oder der Wiederherstellungsschlüssel gehört immer dazu.

## Hilfe

window-help = Hilfe
window-help-title = Fragen und Antworten
window-help-lead = Sie gehören zum Programm: Zum Lesen brauchen Sie kein Netz.
window-help-close = Zurück
window-help-how = Wie funktioniert das?
window-help-how-text = Alles auf dem Laufwerk wird mit einem eigenen Schlüssel Stück für Stück in Rauschen verwandelt, Ihre Dateien bleiben dabei, wo sie sind. Dieser Schlüssel liegt verschlossen im ersten Teil des Laufwerks; Ihr Passwort und Ihr Wiederherstellungsschlüssel sind die zwei Wege zu ihm. Beim Start fragt der Computer nach dem Passwort, danach ist alles wie vorher.
window-help-forgot = Ich habe mein Passwort vergessen
window-help-forgot-text = Tippen Sie dort, wo nach dem Passwort gefragt wird, den Wiederherstellungsschlüssel: die acht Gruppen in kleinen Buchstaben, mit den Bindestrichen. Wählen Sie danach ein neues Passwort: im Terminal „latchkey key add“ und den Namen des Laufwerks. Ohne den Wiederherstellungsschlüssel kann niemand ein Passwort zurücksetzen, auch wir nicht.
window-help-key-lost = Ich finde meinen Wiederherstellungsschlüssel nicht
window-help-key-lost-text = Solange Sie das Passwort wissen, ist nichts verloren. Machen Sie im Terminal mit „latchkey recovery new“ einen neuen: Der alte gilt nicht mehr, sobald der neue geprüft ist. Ein Blatt, das in falsche Hände gerät, ist dann nichts mehr wert.
window-help-start = Der Computer startet nicht mehr
window-help-start-text = Bleiben Sie ruhig: Ein verschlüsseltes Laufwerk verliert Ihre Dateien nicht, weil der Computer nicht startet. Prüfen Sie, ob die Tastatur angeschlossen und die Feststelltaste aus ist. Starten Sie vom Rettungsstick, wenn Sie einen haben. Sonst schließen Sie das Laufwerk an einen anderen Computer mit Linux an: Der Befehl auf Ihrem Wiederherstellungsblatt öffnet es dort.
window-help-interrupted = Es wurde unterbrochen: Stromausfall, oder ich habe das Fenster geschlossen
window-help-interrupted-text = Damit ist in jedem Augenblick gerechnet. Starten Sie Latchkey wieder, oder tippen Sie „latchkey resume“ und den Namen des Laufwerks. Formatieren Sie nichts und lassen Sie vorher keine Reparaturprogramme laufen.
window-help-dying = Das Laufwerk macht Geräusche, ist langsam oder meldet Fehler
window-help-dying-text = Halten Sie an und kopieren Sie zuerst Ihre Dateien auf ein anderes Laufwerk, die wichtigsten zuerst. Eine Verschlüsselung liest jede Stelle des Laufwerks, und das übersteht ein sterbendes vielleicht nicht. Machen Sie erst weiter, wenn Sie eine Kopie haben.
window-help-second = Noch jemand soll hineinkommen
window-help-second-text = Geben Sie jeder Person ein eigenes Passwort: „latchkey key add“ und den Namen des Laufwerks. Mit „latchkey key remove“ nehmen Sie es wieder weg, ohne das der anderen zu ändern.
window-help-update = Eine Systemaktualisierung oder neue Firmware steht an
window-help-update-text = Mit einem Passwort beim Start ändert sich nichts: Es wird wie immer danach gefragt. Öffnet sich das Laufwerk auch mit dem Sicherheitschip dieses Computers, halten Sie den Wiederherstellungsschlüssel bereit: Nach neuer Firmware erkennt der Chip den Computer vielleicht nicht. Prüfen Sie danach, ob Ihr Wiederherstellungsschlüssel das Laufwerk noch öffnet.
window-help-selling = Ich möchte den Computer verkaufen oder das Laufwerk wegwerfen
window-help-selling-text = Kopieren Sie, was Sie brauchen. Dann vernichtet „latchkey erase“ mit dem Namen des Laufwerks Passwörter, Wiederherstellungsschlüssel und Schloss für immer; übrig bleibt Rauschen. Nutzen Sie bei einer SSD zusätzlich deren eigene Löschfunktion. Vernichten Sie Ihre Blätter und Sticks mit dem Schlüssel.
window-help-slower = Wird der Computer langsamer?
window-help-slower-text = Die meisten merken nichts. Latchkey misst vorher und nachher und zeigt Ihnen beides, und wie sicher der Unterschied ist.
window-help-cannot = Was Latchkey nicht kann
window-help-cannot-text = Es schützt nicht, während der Computer läuft und offen ist, nicht vor einem Programm, das Sie selbst gestartet haben, und nicht vor jemandem, der Ihnen beim Tippen zusieht. Es ersetzt keine Sicherung: Ein verschlüsseltes Laufwerk geht kaputt wie jedes andere. Und es kann nicht helfen, wenn das Passwort und alle Kopien des Wiederherstellungsschlüssels verloren sind.
window-help-safe = Woher weiß ich, dass Verlass darauf ist?
window-help-safe-text = Das Ergebnis ist LUKS2, ein veröffentlichtes Format: Die Programme jedes Linux öffnen es ohne Latchkey, und unsere Tests lassen sie das tun. Geschützt heißt nur, was noch einmal vom Laufwerk gelesen wurde. Latchkey sendet nichts über das Netz.

# Die eigene Verschlüsselung des Laufwerks ausschalten
window-give-back = Die eigene Verschlüsselung des Laufwerks ausschalten
window-give-back-text = Das Laufwerk wird zurückgegeben, wie es war: Jede Datei bleibt, es fragt nach keinem Passwort, und jeder, der es in der Hand hat, kann es lesen. Passwort und Wiederherstellungsschlüssel öffnen dann nichts mehr. Das dauert Sekunden. Haben Sie eine Sicherung: Die Firmware des Laufwerks selbst tut es.
window-give-back-name = Um fortzufahren, geben Sie den Namen des Laufwerks ein: { $name }
window-give-back-password = Passwort oder Wiederherstellungsschlüssel
window-give-back-do = Ausschalten
window-give-back-blocked-name = Geben Sie den Namen des Laufwerks genau so ein, wie er dasteht.
window-give-back-blocked-password = Geben Sie Ihr Passwort oder Ihren Wiederherstellungsschlüssel ein.

## Das Laufwerk des Systems

window-system-missing-title = Bevor das Laufwerk des Systems verschlüsselt werden kann, fehlt noch etwas
window-system-missing-lead = Das Fenster selbst darf an diesem Computer nichts ändern. Das erledigt ein kleiner Dienst von Latchkey, der vorher um Erlaubnis fragt. Er hat nicht geantwortet oder die Erlaubnis nicht bekommen. Es wurde nichts geändert.
window-system-ask-again = Noch einmal versuchen
window-system-looking = Es wird nachgesehen, wie weit es ist …
window-system-looking-lead = Einen Moment bitte.
window-system-warnings = Bitte lesen und bestätigen
window-system-warnings-text = Nichts davon steht im Weg. Sie sollten es aber wissen, bevor es beginnt.
window-system-time = Das Vorbereiten dauert einige Minuten, dann kommt ein Neustart. Danach wird im Hintergrund verschlüsselt, während Sie arbeiten, und dieses Fenster sagt, wie lange es dauert.
window-system-permission = Der Computer fragt nach dem Passwort eines Administrators.
window-system-prepare = Teststart vorbereiten
window-system-prepare-text = Ist der Schlüssel aufbewahrt, wird der Teststart vorbereitet: das dauert einige Minuten. Ihre Dateien bleiben, wie sie sind.
window-system-stick = Ein Stick, der im Notfall hilft
window-system-stick-lead = Von diesem Stick startet der Computer auch dann, wenn sonst nichts mehr geht. Er repariert den Kopf der Verschlüsselung; für Ihre Dateien braucht er Ihr Passwort oder den Wiederherstellungsschlüssel.
window-system-stick-choose = Welcher Stick?
window-system-stick-choose-text = Alles, was darauf ist, wird gelöscht.
window-system-stick-none = Stecken Sie einen Stick mit mindestens 128 MB ein. Er erscheint hier von selbst.
window-system-stick-name = Zur Bestätigung seinen Namen eintippen: { $name }
window-system-stick-write = Rettungsstick schreiben
window-system-stick-written = Der Rettungsstick ist geschrieben, und jedes Byte wurde zurückgelesen.
window-system-stick-blocked = Schreiben Sie einen Rettungsstick oder sagen Sie, dass Sie ohne ihn weitermachen möchten.
window-system-stick-skip-text = Wenn der Computer einmal nicht mehr startet, brauchen Sie dann einen anderen, um einen Stick zu schreiben.
window-system-room-title = Starten Sie den Computer jetzt neu: der erste von zwei Neustarts
window-system-room-lead = Die Dateien zum Starten brauchen eine eigene Partition. Der erste Neustart macht Platz dafür; noch ist nichts verschlüsselt.
window-system-room-asks = Es wird kein Passwort verlangt. Der Start dauert einige Minuten länger, dann ist alles wie immer.
window-system-room-then = Danach wird der Teststart von selbst vorbereitet. Dieses Fenster öffnet sich wieder und sagt, wann der zweite Neustart kommen darf.
window-system-room-made-title = Der Platz ist da, und der Teststart wird vorbereitet
window-system-room-made-lead = Das dauert einige Minuten. Bitte starten Sie den Computer erst neu, wenn es hier steht.
window-system-restart-title = Starten Sie den Computer jetzt einmal neu
window-system-restart-lead = Alles ist vorbereitet, und noch ist nichts verschlüsselt. Der Neustart zeigt, ob Ihr Passwort am echten Startbildschirm funktioniert.
window-system-restart-what = Das wird geschehen
window-system-restart-asks = Beim Start fragt der Computer nach Ihrem Passwort: „Please unlock disk …“. Sie haben drei Versuche.
window-system-restart-right = Ist es richtig, dauert dieser Start einige Minuten länger. Danach wird im Hintergrund verschlüsselt, während Sie arbeiten.
window-system-restart-wrong = Ist es falsch oder tippt zehn Minuten lang niemand etwas, startet der Computer wie immer. Dann ist nichts geändert worden.
window-system-restart-after = Danach öffnet sich dieses Fenster wieder und sagt, was geschehen ist.
window-system-restart-save = Speichern Sie vorher Ihre offenen Dokumente.
window-system-restart-now = Jetzt neu starten
window-system-later = Später
window-system-later-text = Das ist in Ordnung. Der Test kommt mit dem nächsten Start, wann immer das ist. Sie können dieses Fenster schließen.
window-system-not-the-test = Der Computer wurde gestartet, aber nicht mit dem Test: es wurde ein anderer Eintrag gewählt. Der Test ist weiter vorbereitet.
window-system-tidying = Die Reste des Tests werden entfernt. Das dauert ein bis zwei Minuten.
window-system-no-password-title = Das Passwort hat nicht geöffnet
window-system-no-password-lead = Drei Versuche beim Start waren falsch, deshalb ist der Computer wie immer gestartet. Es wurde nichts geändert. Oft hat die Tastatur beim Start eine andere Belegung als hier. Latchkey kann ein Passwort vorschlagen, dessen Buchstaben überall auf denselben Tasten liegen.
window-system-nothing-typed-title = Niemand hat ein Passwort eingetippt
window-system-nothing-typed-lead = Beim Start wurde nichts eingetippt, deshalb ist der Computer wie immer gestartet. Es wurde nichts geändert.
window-system-taken-back-title = Alles ist wieder, wie es war
window-system-taken-back-lead = Der Start mit dem verschlüsselten Laufwerk ist nicht bis zum Ende gekommen, deshalb hat der nächste alles zurückgestellt. Alle Ihre Dateien sind da.
window-system-failed-title = Der Teststart hat nicht funktioniert
window-system-failed-lead = Etwas ging schief, bevor etwas geändert wurde, und der Computer ist wie immer gestartet.
window-system-try-again = Noch einmal vorbereiten
window-system-leave = So lassen, wie es ist
window-system-take-back = Alles zurücknehmen
window-system-take-back-title = Anders überlegt?
window-system-take-back-text = Solange nichts verschlüsselt ist, nimmt ein Klick alles zurück. Das dauert ein bis zwei Minuten.
window-system-undone-title = Einmal neu starten, und alles ist, wie es war
window-system-undone-lead = Nichts ist verschlüsselt. Der nächste Start stellt alles zurück, noch bevor das System läuft.
window-system-placed-title = Der Teststart hat funktioniert
window-system-placed-lead = Ihr Passwort hat das Laufwerk beim Start geöffnet. Noch ist nichts verschlüsselt; es beginnt gleich oder wenn Sie es sagen.
window-system-begin = Mit dem Verschlüsseln beginnen
window-system-passed = Der Teststart hat funktioniert: Ihr Passwort hat das Laufwerk geöffnet.
window-system-running-title = Das Laufwerk des Systems wird verschlüsselt
window-system-running-lead = Arbeiten Sie einfach weiter. Sie können dieses Fenster schließen, neu starten oder ausschalten: mit dem nächsten Start geht es weiter.
window-system-paused-title = Angehalten
window-system-paused-lead = Was fertig ist, ist sicher. Es bleibt angehalten, bis Sie weitermachen, auch nach einem Neustart.
window-system-needs-password-lead = Seit dem Start des Computers hat niemand das Passwort eingetippt. Geben Sie es ein, um weiterzumachen.
window-system-ending-title = Fast fertig
window-system-ending-lead = Alles ist verschlüsselt. Das System wird auf seinen nächsten Start vorbereitet; bitte lassen Sie den Computer noch einige Minuten an.
window-system-prove-title = Alles ist verschlüsselt. Schalten Sie zum Beweis einmal aus
window-system-prove-lead = Das Laufwerk gilt als geschützt, wenn ein Start nach dem Ausschalten gesehen wurde. Schalten Sie den Computer aus und wieder ein, geben Sie Ihr Passwort ein. Dieses Fenster öffnet sich dann wieder.
window-system-switch-off = Jetzt ausschalten
window-system-restart-instead = Stattdessen neu starten
window-system-back-title = Der nächste Start entfernt die Verschlüsselung
window-system-back-lead = Der nächste Start fragt nach Ihrem Passwort und entschlüsselt alles, bevor das System läuft. Bei einem großen Laufwerk dauert das Stunden; der Strom darf dabei ausfallen.
window-system-stay = Verschlüsselt bleiben
window-system-plain-title = Alles ist entschlüsselt
window-system-plain-lead = Alle Ihre Dateien sind da. Das System wird auf seinen nächsten Start vorbereitet.
window-system-report-seen = Ein Start nach dem Ende der Verschlüsselung wurde gesehen, mit Ihrem Passwort.
window-system-decrypt = Die Verschlüsselung wieder entfernen
window-system-decrypt-text = Der nächste Start fragt nach Ihrem Passwort und entschlüsselt alles, bevor das System läuft. Das kann Stunden dauern. Alle Dateien bleiben.
window-system-decrypt-do = Den Rückweg vorbereiten

## Ein geschütztes Laufwerk pflegen

window-manage-do = Verwaltung
window-manage-title = Verwaltung für { $name }
window-manage-lead = Was Sie in den Tagen und Jahren danach vielleicht tun wollen. Nichts davon muss heute sein, und jede Änderung wird am Laufwerk ausprobiert, bevor sie gilt.
window-manage-open = Zuerst öffnen
window-manage-open-text = Wer etwas ändert, zeigt vorher, dass er es darf. Wenn Sie diese Seite verlassen, wird es wieder vergessen.
window-manage-open-do = Öffnen
window-manage-opened = Geöffnet mit: { $kind }. Wenn Sie diese Seite verlassen, wird es vergessen.
window-manage-closed = Öffnen Sie zuerst oben das Laufwerk.
window-manage-own = Eben zum Öffnen benutzt
window-manage-people = Passwort und Personen
window-manage-people-text = Jedes davon öffnet das Laufwerk für sich allein.
window-manage-key = { $kind } (Nr. { $keyslot })
window-manage-remove = Wegnehmen
window-manage-remove-label = Wegnehmen: { $name }
window-manage-remove-sure = Ja, es soll das Laufwerk nicht mehr öffnen
window-manage-keep = Nein, behalten
window-manage-change = Passwort ändern
window-manage-change-text = Das neue Passwort ersetzt das, das Sie eben eingegeben haben. Das alte geht erst, wenn das neue das Laufwerk geöffnet hat.
window-manage-change-do = Ändern
window-manage-forgotten = Ich habe das Passwort vergessen: ein neues wählen
window-manage-forgotten-text = Sie haben das Laufwerk mit dem Wiederherstellungsschlüssel geöffnet. Wählen Sie ein neues Passwort; das vergessene lässt sich danach oben in der Liste wegnehmen.
window-manage-forgotten-do = Festlegen
window-manage-add = Noch jemanden hineinlassen
window-manage-add-text = Eine zweite Person bekommt ein eigenes Passwort. Sie tippt es hier ein; Sie müssen es nicht kennen, und es lässt sich wieder wegnehmen.
window-manage-add-do = Hineinlassen
window-manage-chip = Ohne Tippen öffnen
window-manage-chip-text = Ihr Passwort und der Wiederherstellungsschlüssel gelten daneben weiter. Damit der Computer es beim Start benutzt, muss die Zeile des Laufwerks in /etc/crypttab den Chip nennen.
window-manage-chip-tpm2 = Mit dem Sicherheitschip dieses Computers (TPM)
window-manage-chip-tpm2-text = Das Laufwerk öffnet sich dann in diesem Computer von selbst. Wer den ganzen Computer hat, braucht auch kein Passwort: Die Anmeldung ist das einzige Schloss, das bleibt.
window-manage-chip-fido2 = Mit einem Sicherheitsschlüssel (FIDO2)
window-manage-chip-fido2-text = Stecken Sie ihn ein, drücken Sie diesen Knopf und berühren Sie den Schlüssel, wenn er blinkt. Wer ihn in der Hand hat, kann das Laufwerk öffnen.
window-manage-recovery = Wiederherstellungsschlüssel
window-manage-recovery-text = Für den Tag, an dem das Passwort vergessen ist. Eine Kopie ist etwas wert, wenn sie ausprobiert wurde.
window-manage-copy = { $place }, Schlüssel { $keyid }
window-manage-copy-dates = Gemacht am { $made_day }, zuletzt ausprobiert am { $day }
window-manage-no-copies = Dieser Computer weiß von keiner Kopie. Prüfen Sie Ihre hier, dann vermerkt er sie (nie den Schlüssel).
window-manage-check = Eine Kopie prüfen
window-manage-check-text = Öffnet der Schlüssel auf Ihrem Blatt oder Stick dieses Laufwerk noch? Das Probieren ändert nichts.
window-manage-check-type = Vom Blatt abtippen
window-manage-typing-hint = Acht Buchstaben und dann die zwei Prüfbuchstaben daneben: Jede Gruppe wird beim Tippen geprüft. Auf einem Blatt ohne Prüfbuchstaben genügen acht Buchstaben.
window-manage-group-wrong = Gruppe { $number } stimmt nicht: Ein Buchstabe wurde verlesen, oder zwei wurden vertauscht. Vergleichen Sie sie mit dem Blatt.
window-manage-stop = Nicht weiter tippen
window-manage-another = Noch eine Kopie machen
window-manage-another-text = Vom Schlüssel { $keyid }, der eben das Laufwerk geöffnet hat.
window-manage-new-key = Einen neuen Wiederherstellungsschlüssel machen
window-manage-new-key-text = Wenn eine Kopie verloren ging oder jemand sie gesehen hat. Der alte Schlüssel gilt, bis der neue gespeichert und zurückgelesen ist und das Laufwerk geöffnet hat; dann sind alle alten Kopien wertlos.
window-manage-header = Eine Kopie des Headers
window-manage-header-text = Im ersten Teil des Laufwerks liegen die Schlösser. Wird er je beschädigt, bringt diese Kopie sie zurück. Ohne Passwort oder Wiederherstellungsschlüssel öffnet sie nichts.
window-manage-leaving = Wenn Sie es nicht mehr brauchen
window-manage-turn-off = Verschlüsselung ausschalten
window-manage-turn-off-text = Alle Dateien bleiben. Danach kann jeder das Laufwerk lesen, der es in der Hand hat. Es dauert etwa so lange wie das Verschlüsseln, und ein Stromausfall mittendrin verliert nichts.
window-manage-turn-off-sure = Ja, für alle lesbar machen
window-manage-turning = Die Verschlüsselung wird ausgeschaltet
window-manage-turning-text = Es wurde begonnen und nicht beendet. Was getan ist, ist sicher, und von dort geht es weiter. Bis dahin ist das Laufwerk nur zum Teil geschützt.
window-manage-sell = Vor dem Verkaufen oder Wegwerfen
window-manage-sell-text = Kopieren Sie zuerst, was Sie brauchen. Das hier vernichtet für immer jedes Passwort, jeden Wiederherstellungsschlüssel und das Schloss selbst: Was übrig ist, ist Rauschen, das niemand lesen kann, auch Sie nicht. Es dauert eine Sekunde. Nutzen Sie bei einer SSD zusätzlich deren eigene Löschfunktion.
window-manage-sell-do = Alle Zugänge vernichten
