# Was die Frage nach dem Passwort vor dem Start des Systems sagt und zeigt.

cli-prompt-usual = Beim Start wird mit den Worten der Distribution nach dem Passwort für { $name } gefragt.
cli-prompt-own = Beim Start steht über der Frage nach dem Passwort für { $name }: { $text }
cli-prompt-decoy = Beim Start zeigt der Bildschirm „{ $text }“ und wartet auf das Passwort für { $name }. Die Eingabetaste allein bringt die übliche Frage.
cli-prompt-edited = Jemand hat { $path } geändert. Es wird bei jedem Start benutzt, und was es tut, ist hier nicht bekannt. „latchkey prompt set“ macht es neu.
cli-prompt-dots = Für jeden getippten Buchstaben wird ein Punkt gezeigt.
cli-prompt-nothing = Von dem, was getippt wird, wird nichts gezeigt.
cli-prompt-why-own = Jeder, der den Computer einschaltet, liest „{ $text }“: Schreiben Sie, was einem Finder hilft, etwa eine Telefonnummer, und nichts, was das Passwort erraten hilft.
cli-prompt-why-decoy =
    Der Bildschirm wird „{ $text }“ zeigen, als gäbe es kein System, und wortlos auf das Passwort warten. Die Eingabetaste allein oder ein falsches Passwort bringt die übliche Frage: Sagen Sie das allen, die den Computer sonst noch benutzen.
    Es hält nur jemanden ab, der einen kurzen Blick darauf wirft. Wer das Laufwerk selbst ansieht, sieht sofort, dass es verschlüsselt ist.
cli-prompt-why-silent = Von dem, was getippt wird, wird nichts gezeigt, auch keine Punkte. Niemand sieht, wie lang das Passwort ist, und Sie sehen keinen Tippfehler. Wo beim Start ein Bild gezeigt wird, verschwindet es, wenn nach dem Passwort gefragt wird.
cli-prompt-why-console = Bei einem Start ohne Bild wird ohnehin nie etwas von dem gezeigt, was getippt wird: So macht es die Distribution.
cli-prompt-why-default = Die Frage bekommt wieder die Worte der Distribution.
cli-prompt-ask = So einstellen? Womit jeder Kernel startet, wird neu gemacht; das dauert einige Minuten. [j/N]
cli-prompt-working = Womit jeder Kernel startet, wird neu gemacht und nachgesehen. Das dauert einige Minuten.
cli-prompt-set = Es ist eingestellt und wurde in dem gefunden, womit jeder Kernel startet. Sie sehen es beim nächsten Start.

fault-boot-prompt-text-empty = Der Text ist leer.
    .next = Geben Sie einen Text an, oder „--default“ für die Worte der Distribution.
fault-boot-prompt-text-long = Der Text hat { $characters } Zeichen, und eine Zeile beim Start hat Platz für { $most }.
    .next = Kürzen Sie ihn. Es wurde nichts geändert.
fault-boot-prompt-text-character = Im Text oder an seinem Anfang steht „{ $character }“; das zeigt ein Bildschirm beim Start vielleicht nicht, oder er hält es für einen Befehl.
    .next = Nehmen Sie Buchstaben westlicher Sprachen, Ziffern und übliche Zeichen, ohne Zeilenumbruch und Backslash. Es wurde nichts geändert.
fault-boot-prompt-text-secret = Der Text ist ein Wiederherstellungsschlüssel. Jeder, der den Computer einschaltet, würde ihn lesen.
    .next = Schreiben Sie etwas anderes, etwa eine Telefonnummer. Es wurde nichts geändert.
fault-boot-prompt-plain = Beim Start wird niemand nach einem Passwort gefragt: Das laufende System liegt nicht auf einem verschlüsselten Volume.
    .next = Verschlüsseln Sie es zuerst: latchkey encrypt /
fault-boot-prompt-several = Das laufende System liegt auf mehr als einem verschlüsselten Volume, und welche Frage gemeint ist, lässt sich nicht sagen.
    .next = Die Fragen bleiben, wie sie sind.
fault-boot-prompt-initramfs = In diesem System fragt nicht cryptsetup-initramfs nach dem Passwort ({ $name }); nur dessen Frage kann andere Worte bekommen.
    .next = Installieren Sie auf Debian und Ubuntu mit initramfs-tools das Paket cryptsetup-initramfs. Es wurde nichts geändert.
fault-boot-prompt-crypttab = /etc/crypttab hat keine Zeile für { $name } oder mehr als eine.
    .next = Schreiben Sie genau eine Zeile dafür hinein, wie das Installationsprogramm der Distribution, und versuchen Sie es noch einmal. Es wurde nichts geändert.
fault-boot-prompt-key-file = Das Laufwerk wird beim Start mit der Datei { $path } geöffnet: Niemand wird nach einem Passwort gefragt.
    .next = Es gibt keine Frage, die etwas sagen könnte. Es wurde nichts geändert.
fault-boot-prompt-keyscript = /etc/crypttab lässt ein anderes Skript nach dem Passwort fragen: { $path }
    .next = Nehmen Sie dessen „keyscript=“ aus /etc/crypttab heraus, wenn es nicht gebraucht wird, und versuchen Sie es noch einmal. Es wurde nichts geändert.
fault-boot-prompt-token = Ein Chip oder ein Dienst kann dieses Laufwerk beim Start öffnen ({ $kind }), und ihm gehört die Frage.
    .next = Nehmen Sie diesen Schlüssel zuerst weg (latchkey key list), oder lassen Sie die Frage, wie sie ist. Es wurde nichts geändert.
fault-boot-prompt-not-put-back = Das ist fehlgeschlagen. /etc/crypttab ist wie zuvor, aber womit die Kernel starten, ließ sich nicht neu machen.
    .next = Der Computer startet wie zuvor oder mit der neuen Frage. Sehen Sie nach, ob /boot voll ist, und rufen Sie dann auf: update-initramfs -u -k all
