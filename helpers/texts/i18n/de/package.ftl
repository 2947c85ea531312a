# Was die Pakete für Linux sagen: in Verzeichnissen von Programmen, und das Skript, das vor dem Entfernen läuft.

package-summary = Verschlüsselt einen Laptop oder ein Laufwerk, Schritt für Schritt
package-generic-name = Laufwerksverschlüsselung
package-about = Latchkey sagt in einem Satz, ob jedes Laufwerk eines Computers geschützt ist, und geht dann mit Ihnen den ganzen Weg zur Verschlüsselung: Passwort, Wiederherstellungsschlüssel, Rettungsstick, ein Teststart und die Verschlüsselung selbst. Alle Dateien bleiben, wo sie sind.
package-about-kept = Wenn der Strom ausfällt, geht nichts verloren: Es geht dort weiter, wo es aufgehört hat. Andere Programme wie cryptsetup öffnen, was Latchkey macht. Niemand ist also auf Latchkey angewiesen.
package-about-practice = Ein Übungslaufwerk zeigt den ganzen Weg ohne jedes Risiko.
package-keywords = Verschlüsselung;LUKS;BitLocker;Opal;Passwort;Wiederherstellungsschlüssel;

package-removal-system = Latchkey wurde nicht entfernt, und nichts wurde geändert: Die Verschlüsselung des Systemlaufwerks dieses Computers ist vorbereitet oder im Gang, und ihr Weg zum Ende und zurück braucht Latchkey. „latchkey status /“ sagt, wie weit sie ist, und „latchkey undo /“ nimmt eine Vorbereitung zurück. Wenn sie zu Ende ist, starten Sie den Computer noch einmal, und entfernen Sie Latchkey dann.
package-removal-drive = Latchkey wurde nicht entfernt, und nichts wurde geändert: Es öffnet bei jedem Start ein verschlüsseltes Laufwerk, und ohne Latchkey könnte der Start stehen bleiben. Für jedes dieser Laufwerke beendet „latchkey opal at-start --off LAUFWERK“ das. Entfernen Sie Latchkey danach noch einmal.
package-removal-running = Latchkey wurde nicht entfernt, und nichts wurde geändert: Es läuft gerade. Schließen Sie sein Fenster, und lassen Sie eine Verschlüsselung zu Ende gehen, oder halten Sie sie mit „latchkey pause LAUFWERK“ an. Entfernen Sie Latchkey danach noch einmal.
