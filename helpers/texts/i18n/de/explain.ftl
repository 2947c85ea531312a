# Was die Ausgaben öffentlicher Werkzeuge bedeuten (`latchkey explain`), und was mit dem Schloss eines Laufwerks zu tun ist.

## Warum

reason-not-recognised = Das ist nicht die Ausgabe eines Werkzeugs, das dieses Programm kennt.
reason-output-cut-off = Die Ausgabe ist nicht vollständig: Sie endet mittendrin.
reason-output-too-little = Von der Ausgabe ist zu wenig da, um es zu sagen.
reason-output-contradicts = Die Ausgabe widerspricht sich. Auf nichts darin ist Verlass.
reason-output-words = In der Ausgabe stehen Wörter, die dieses Programm nicht kennt.
reason-output-mixed = In der Ausgabe stehen Wörter aus mehreren Sprachen; so gibt es kein System aus. Auf nichts darin ist Verlass.
reason-tool-no-answer = Das System wurde gefragt und hat nicht geantwortet. Das heißt nicht „nicht verschlüsselt“.
reason-not-looked-into = Das Werkzeug führt es auf, hat aber nicht hineingesehen.
reason-only-protectors = Die Ausgabe sagt, wer es öffnen kann, und nicht, ob es verschlüsselt ist.
reason-filevault-on = Alles darauf ist mit FileVault verschlüsselt. Ohne ein Passwort oder den Wiederherstellungsschlüssel liest es niemand.
reason-at-rest-only = Es ist ohne jedes Passwort verschlüsselt: Wer den Mac hat, liest alles darauf.
reason-filevault-locked = Es ist mit FileVault verschlüsselt und geschlossen.
reason-filevault-just-enabled = FileVault wurde eben eingeschaltet. Ob inzwischen alles verschlüsselt ist, steht nicht in dieser Ausgabe.
reason-luks-converting = Seine Verschlüsselung wird gerade eingerichtet, geändert oder entfernt und ist nicht fertig. Ein Teil kann lesbar sein.
reason-luks-signature = Es trägt das Kennzeichen von LUKS. Ob alles darauf verschlüsselt ist, sagt nur sein Kopf.
reason-crypt-layer = Darunter liegt eine Schicht Verschlüsselung.
reason-own-lock-closed = Das eigene Schloss des Laufwerks ist zu. Ohne sein Passwort liest niemand, was darauf ist.
reason-own-lock-unused = Das Laufwerk könnte sich selbst verschließen, und niemand hat das eingerichtet. Von sich aus schützt es nichts.
reason-own-lock-open = Jemand hat das eigene Schloss des Laufwerks eingerichtet, und es ist gerade offen. Ob es wirklich schließt, zeigt erst ein Ausschalten.
reason-own-lock-pyrite = Das Laufwerk kann den Zugriff verweigern, aber es verschlüsselt nicht.
reason-own-lock-weak = Die eigene Verschlüsselung dieses Laufwerks ist als schwach bekannt. Sie schützt nicht, was darauf ist.
reason-own-lock-none = Das Laufwerk hat kein eigenes Schloss.
reason-own-lock-not-seen = Ob das Laufwerk sich selbst verschließen kann, ist hier nicht zu sehen. Das heißt nicht „nein“.
reason-own-lock-enterprise = Das Laufwerk hat ein Schloss für Server. Dieses Programm richtet es nicht ein.

## Was als Nächstes zu tun ist

next-use-known-tool = Kopieren Sie die ganze Ausgabe zum Beispiel von „manage-bde -status“, „lsblk -f“, „cryptsetup luksDump“ oder „diskutil apfs list“ in eine Datei.
next-whole-output = Kopieren Sie die ganze Ausgabe in die Datei.
next-ask-again = Lassen Sie das Werkzeug noch einmal ausgeben, und kopieren Sie alles.
next-ask-in-english = Lassen Sie das Werkzeug auf Englisch ausgeben, oder sehen Sie mit „Get-BitLockerVolume | fl“ nach; dort gibt es nichts zu übersetzen.
next-look-with-blkid = Sehen Sie als Administrator mit „blkid -p“ nach.
next-restart = Starten Sie den Computer neu. Die Verschlüsselung beginnt nach der Prüfung.
next-own-lock-open-it = Öffnen Sie es mit seinem Passwort. Auch die PSID auf dem Etikett öffnet es, löscht dabei aber alles.
next-own-lock-or-software = Verschlüsseln Sie es: mit dem eigenen Schloss des Laufwerks, mit diesem Computer oder mit beidem.
next-power-off-test = Schalten Sie den Computer aus, warten Sie zehn Sekunden, und sehen Sie, ob das Laufwerk nach seinem Passwort fragt.

## Was mit dem Schloss eines Laufwerks zu tun ist

action-unlock_ata_first = Öffnen Sie zuerst sein ATA-Passwort im Setup der Firmware. Bis dahin ist nichts anderes zu sehen.
action-not_recoverable_here = Von hier aus ist es weder zu öffnen noch zu löschen: Die Firmware hat keine PSID. Nur wer die PIN gesetzt hat, kann es öffnen.
action-unlock_first = Öffnen Sie zuerst das Schloss, und entfernen Sie es dann so, dass die Daten bleiben.
action-unlock_or_psid = Öffnen Sie es mit seinem Passwort, oder löschen Sie alles mit der PSID auf dem Etikett.
action-software = Verschlüsseln Sie mit diesem Computer, und lassen Sie das eigene Schloss des Laufwerks in Ruhe.
action-power_cycle = Schalten Sie den Computer ganz aus, warten Sie zehn Sekunden, und versuchen Sie es noch einmal.
action-power_cycle_then_psid = Schalten Sie den Computer ganz aus und versuchen Sie es noch einmal. Hilft das nicht, löscht die PSID das Laufwerk und gibt es frei.
action-verify_power_cycle = Schalten Sie den Computer ganz aus, und sehen Sie nach, ob das Laufwerk danach zu ist. Solange das nicht gesehen wurde, gilt es als offen.
action-verify_after_write = Lesen Sie jede Einstellung zurück, nachdem sie gesetzt wurde: Das Laufwerk meldet Erfolg, wo nichts gesetzt ist.
action-unblock_sid_then_offer_hw = Schalten Sie „Block SID“ im Setup der Firmware für den nächsten Start aus, oder lassen Sie den Computer einmal schlafen. Danach ist die eigene Verschlüsselung des Laufwerks zu brauchen.
action-unblock_sid = Schalten Sie „Block SID“ im Setup der Firmware für den nächsten Start aus, oder lassen Sie den Computer einmal schlafen.
action-save_key_for_resume_or_disable_s3 = Das Laufwerk hatte im Schlaf keinen Strom und hat sich geschlossen. Lassen Sie das System den Schlüssel für das Aufwachen behalten, oder schalten Sie den Schlaf ab.
action-use_bitlocker_or_psid = Wahrscheinlich hat Windows das Schloss des Laufwerks für sich genommen. Nutzen Sie es über BitLocker, oder löschen Sie alles mit der PSID.
action-manage = Das Schloss gehört jemandem. Ändern Sie es mit dem Passwort des Besitzers; richten Sie es nie neu ein.
action-owner_password_or_psid = Das Schloss gehört jemandem. Nehmen Sie das Passwort des Besitzers, oder löschen Sie alles mit der PSID.
action-after_revert_power_cycle = Es ist zu brauchen. Schalten Sie den Computer nach jedem Zurücksetzen ganz aus, bevor etwas geschrieben wird.
action-hw_only_if_lbs_matches = Nutzen Sie die eigene Verschlüsselung des Laufwerks nur, wenn das System dieselbe Blockgröße sieht wie sein Sicherheitsteil.
action-auto_align = Lassen Sie die Grenzen der Bereiche vom Programm ausrechnen, in ganzen Mebibyte.
action-offer_hw_plus_sw = Die eigene Verschlüsselung des Laufwerks ist zu brauchen, aber nicht allein: Seine Unterlagen widersprechen ihm. Verschlüsseln Sie auch mit diesem Computer.
action-find_owner = Das Laufwerk hat eine PIN abgelehnt. Finden Sie heraus, wem sein Schloss gehört: einer früheren Einrichtung, Windows oder einer Sperre durch die Firmware.
action-offer_hw = Die eigene Verschlüsselung des Laufwerks ist zu brauchen.
action-unknown = Was damit zu tun ist, lässt sich daraus nicht sagen.

## Das Kommando

cli-explain-whole-file = Die ganze Datei
