# Was auf dem Bildschirm steht, bevor das System startet. Es muss auf 80 mal 25 Zeichen passen.

preboot-title = Latchkey
preboot-looking = Die Laufwerke werden gesucht ...
preboot-drive = Das Laufwerk { $drive } ist verschlossen.
preboot-password = Passwort:
preboot-recovery = Wiederherstellungsschlüssel:
preboot-help =
    F2: Tastatur ({ $layout })                     F3: English
    F4: Passwort / Wiederherstellungsschlüssel     F5: Ausschalten
preboot-caps-lock = Die Feststelltaste ist an.
preboot-checking = Wird geprüft ...
preboot-open = Offen. Der Computer startet noch einmal, jetzt mit seinem eigenen System.
preboot-partly = Nicht alle Laufwerke haben dieses Passwort. Diese sind noch verschlossen; vielleicht haben sie ein anderes.
preboot-wrong =
    { $left ->
        [one] Das ist falsch. Sie haben noch einen Versuch, dann gibt es eine Pause.
       *[other] Das ist falsch. Sie haben noch { $left } Versuche, dann gibt es eine Pause.
    }
preboot-wait = Das war dreimal falsch. Der nächste Versuch geht in { $seconds }.
preboot-again = Versuchen Sie es noch einmal. Oft liegt es an der Feststelltaste oder an einer anderen Tastaturbelegung (F2).
preboot-power-off = Das Laufwerk prüft kein Passwort mehr, bis es ohne Strom war. Schalten Sie den Computer aus, warten Sie zehn Sekunden und schalten Sie ihn wieder ein.
preboot-nothing = Es wurde kein verschlossenes Laufwerk gefunden.
preboot-enter-or-off = Eingabetaste: noch einmal starten    F5: Ausschalten
preboot-switching-off = Wird ausgeschaltet ...
