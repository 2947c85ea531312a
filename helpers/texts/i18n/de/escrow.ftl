# Wiederherstellungsschlüssel, die bei einer Organisation hinterlegt werden: ihre Richtlinie, ihr Speicher und was mit beiden schiefgehen kann.

# Teil der Sätze weiter unten: was an einem Wert oder einer Datei nicht stimmt.
part-escrow-why =
    { $why ->
        [no-url] Das ist keine Adresse wie https://vault.example.org:8200.
        [not-https] Sie muss mit https:// beginnen. Einfaches http:// gibt es nur für diesen Computer selbst.
        [url-extras] Benutzername, Passwort, Fragezeichen, „#“, „%“ und umgekehrter Schrägstrich haben darin keinen Platz.
        [letters] Nur Buchstaben, Ziffern, „-“, „_“ und „.“ haben darin Platz, mit einzelnen Schrägstrichen zwischen den Teilen.
        [length] Der Wert ist leer oder zu lang.
        [not-whole] Es muss ein vollständiger Pfad sein, von der Wurzel an.
        [count] Es müssen zwischen 1 und 16 sein.
        [owner] Die Datei gehört nicht dem Administrator.
        [writable] Andere als der Administrator können die Datei oder ihren Ordner ändern.
        [readable] Andere als der Eigentümer können die Datei lesen, und sie enthält ein Geheimnis.
        [no-file] Das ist keine gewöhnliche Datei.
       *[too-large] Sie ist viel zu groß.
    }

fault-escrow-policy-unreadable = Die Richtlinie Ihrer Organisation ({ $path }) konnte nicht gelesen werden. Es wurde nichts geändert.
    .next = Sagen Sie es denen, die diesen Computer betreuen. Solange sie nicht lesbar ist, wird nichts verschlüsselt: Niemand kann wissen, was sie verlangt.
fault-escrow-policy-damaged = Die Richtlinie Ihrer Organisation ist beschädigt, oder es steht etwas darin, das dieses Programm nicht kennt. Es wurde nichts geändert.
    .next = Wer diesen Computer betreut, findet die Stelle unter „Einzelheiten“ und kann die Richtlinie mit „latchkey recovery policy“ ausprobieren.
fault-escrow-policy-newer = Die Richtlinie Ihrer Organisation hat die Version { $version }, und dieses Programm kennt Version 1. Es wurde nichts geändert.
    .next = Installieren Sie eine neuere Version von Latchkey.
fault-escrow-policy-value = In der Richtlinie Ihrer Organisation steht bei „{ $field }“ ein Wert, den es nicht geben kann. { part-escrow-why } Es wurde nichts geändert.
    .next = Wer diesen Computer betreut, kann das richtigstellen und mit „latchkey recovery policy“ ausprobieren.
fault-escrow-file-insecure = Auf { $path } ist kein Verlass. { part-escrow-why } Es wurde nichts geändert.
    .next = Wer diesen Computer betreut, kann das richtigstellen: Die Richtlinie gehört root und hat die Rechte 0644, die Datei mit dem Token gehört root und hat die Rechte 0600.
fault-escrow-recipient = „{ $recipient }“ in der Richtlinie Ihrer Organisation ist kein öffentlicher Schlüssel. Es wurde nichts geändert.
    .next = Ein Empfänger ist ein öffentlicher Schlüssel von age; er beginnt mit „age1“, und „age-keygen“ zeigt ihn. SSH-Schlüssel werden nicht genommen.
fault-escrow-file-unreadable = { $path }, in der Richtlinie Ihrer Organisation genannt, konnte nicht gelesen werden. Es wurde nichts geändert.
    .next = Wer diesen Computer betreut, kann die Datei dort ablegen.
fault-escrow-file-denied = Sie dürfen { $path } nicht lesen; das braucht es, um den Wiederherstellungsschlüssel bei Ihrer Organisation zu hinterlegen.
    .next = Machen Sie dasselbe mit „sudo latchkey“ im Terminal, oder fragen Sie die, die diesen Computer betreuen.
fault-escrow-token-bad = In { $path } steht kein Token: Gebraucht wird eine Zeile aus Buchstaben und Ziffern.
    .next = Wer diesen Computer betreut, kann dort ein neues Token ablegen.
fault-escrow-authority-bad = In { $path } steht kein Zertifikat.
    .next = Wer diesen Computer betreut, kann dort das Zertifikat der Zertifizierungsstelle ablegen, im PEM-Format.
fault-escrow-not-sealed = Der Wiederherstellungsschlüssel ließ sich nicht für Ihre Organisation versiegeln.
    .next = Versuchen Sie es noch einmal. Klappt es wieder nicht, schicken Sie uns, was unter „Einzelheiten“ steht.
fault-escrow-not-reachable = { $host }, wo Ihre Organisation Wiederherstellungsschlüssel aufbewahrt, ist nicht zu erreichen.
    .next = Sehen Sie nach, ob dieser Computer mit dem Netz verbunden ist, und wo nötig mit dem Ihrer Organisation (VPN). Versuchen Sie es dann noch einmal.
fault-escrow-no-network = Dieses System lässt Latchkey nicht ins Netz; das braucht es, um den Wiederherstellungsschlüssel bei Ihrer Organisation zu hinterlegen.
    .next = Wer diesen Computer betreut, kann es erlauben: Die Datei dafür steht auf der Seite für Administratoren.
fault-escrow-no-answer = { $host }, wo Ihre Organisation Wiederherstellungsschlüssel aufbewahrt, hat nicht rechtzeitig geantwortet oder mittendrin abgebrochen.
    .next = Versuchen Sie es in einer Minute noch einmal. Vielleicht ist der Schlüssel trotzdem angekommen; er zählt erst, wenn er zurückgelesen wurde.
fault-escrow-not-trusted = Was als { $host } antwortet, konnte nicht zeigen, dass es der Ort Ihrer Organisation ist. Der Wiederherstellungsschlüssel wurde nicht geschickt.
    .next = Melden Sie sich zuerst im Netz an, falls es das im Browser verlangt. Sonst sagen Sie es denen, die diesen Computer betreuen: Das Zertifikat steht unter „Einzelheiten“, und „ca_file“ in der Richtlinie nennt eine eigene Zertifizierungsstelle.
fault-escrow-clock = Das Zertifikat von { $host } gilt heute nicht, und für diesen Computer ist heute der { $day }. Der Wiederherstellungsschlüssel wurde nicht geschickt.
    .next = Stellen Sie die Uhr des Computers, wenn der Tag nicht stimmt. Stimmt er, ist das Zertifikat abgelaufen: Sagen Sie es denen, die { $host } betreuen.
fault-escrow-refused = { $host } lässt diesen Computer den Wiederherstellungsschlüssel nicht dort ablegen (Antwort { $status }).
    .next = Wer diesen Computer betreut, kann nach seinem Token sehen und danach, ob dessen Rechte das Schreiben und das Zurücklesen erlauben.
fault-escrow-no-place = { $host } hat dort, wo es die Richtlinie Ihrer Organisation sagt, keinen Platz für Wiederherstellungsschlüssel.
    .next = Wer diesen Computer betreut, kann „mount“ und „path“ oder die Adresse mit dem Speicher vergleichen.
fault-escrow-vault-sealed = Der Vault Ihrer Organisation ({ $host }) ist versiegelt: Er nimmt nichts an, bis ihn jemand geöffnet hat.
    .next = Sagen Sie es denen, die ihn betreuen, und versuchen Sie es danach noch einmal.
fault-escrow-store-failed = { $host }, wo Ihre Organisation Wiederherstellungsschlüssel aufbewahrt, hat selbst einen Fehler (Antwort { $status }).
    .next = Versuchen Sie es später noch einmal. Bleibt es so, sagen Sie es denen, die ihn betreuen.
fault-escrow-redirected = { $host } will den Wiederherstellungsschlüssel an einen anderen Ort schicken (Antwort { $status }). Dem wird nie gefolgt.
    .next = Wer diesen Computer betreut, kann die Adresse in die Richtlinie schreiben, die wirklich antwortet.
fault-escrow-changed-meanwhile = Jemand anders hat zur gleichen Zeit an dieselbe Stelle auf { $host } geschrieben.
    .next = Versuchen Sie es noch einmal.
fault-escrow-strange-answer = { $host } antwortet nicht wie ein Ort, der Wiederherstellungsschlüssel aufbewahrt.
    .next = Wer diesen Computer betreut, kann die Adresse in der Richtlinie vergleichen. Bei Vault muss dort die KV-Engine in Version 2 sein.
fault-escrow-read-back-differs = { $host } hat etwas anderes zurückgegeben, als geschickt wurde. Diese Kopie zählt nicht.
    .next = Versuchen Sie es noch einmal. Geschieht es wieder, sagen Sie es denen, die { $host } betreuen: Auf das, was dort liegt, ist kein Verlass.
fault-escrow-missing = Ihre Organisation will den Wiederherstellungsschlüssel haben, bevor das Laufwerk gesperrt wird, und es gibt keine Quittung dafür.
    .next = Rufen Sie „latchkey recovery escrow“ mit einer Kopie des Schlüssels auf, dann geht es weiter.

# Kopien, von denen dieser Computer weiß.
copy-organisation = bei Ihrer Organisation ({ $place })
reason-copy-not-escrowed = Ihre Organisation hat noch keine Kopie dieses Schlüssels (zuletzt versucht am { $day }).

# Das Terminal.
cli-escrow-kept = Der Wiederherstellungsschlüssel { $keyid } ist versiegelt bei Ihrer Organisation hinterlegt und wurde zurückgelesen. Quittung: { $receipt }
cli-escrow-kept-by-service = Der Wiederherstellungsschlüssel ist versiegelt bei Ihrer Organisation hinterlegt und wurde zurückgelesen.
cli-escrow-not-kept = Ihre Organisation möchte eine Kopie des Wiederherstellungsschlüssels { $keyid }, und sie ließ sich dort nicht hinterlegen. Es ist nicht vorgeschrieben, deshalb geht es weiter. Später: latchkey recovery escrow { $path } --recovery-file DATEI
cli-escrow-not-kept-by-service = Ihre Organisation möchte eine Kopie des Wiederherstellungsschlüssels, und sie ließ sich dort nicht hinterlegen. Es ist nicht vorgeschrieben, deshalb geht es weiter. Später: latchkey recovery escrow { $path } --recovery-file DATEI
fault-cli-no-policy = Auf diesem Computer gibt es keine Richtlinie einer Organisation ({ $path }), also keinen Ort für den Schlüssel.
    .next = „latchkey recovery export“ macht eine Kopie auf einem Stick, „latchkey recovery paper“ eine auf Papier.
cli-policy-none = Auf diesem Computer gibt es keine Richtlinie einer Organisation. Wiederherstellungsschlüssel bleiben bei denen, die verschlüsseln.
cli-policy-required = Diesen Computer betreut { $name }. Es wird nichts verschlüsselt, bevor der Wiederherstellungsschlüssel dort hinterlegt und zurückgelesen ist.
cli-policy-wanted = Diesen Computer betreut { $name }. Von jedem Wiederherstellungsschlüssel wird eine Kopie gewünscht; klappt das nicht, geht die Verschlüsselung mit einer Warnung weiter.
cli-policy-nameless = Ihre Organisation
cli-policy-file = Richtlinie: { $path }
cli-policy-store-vault = Aufbewahrt in Vault oder OpenBao auf { $host }, in { $place }
cli-policy-store-https = Aufbewahrt über HTTPS auf { $place }
cli-policy-recipients = Wer den geheimen Schlüssel zu einem von diesen hat, kann das Hinterlegte öffnen:
cli-policy-fine = { $host } ist erreichbar und lässt diesen Computer ein. Es wurde kein Schlüssel geschickt. Ob er schreiben darf, zeigt sich beim ersten Schlüssel.
cli-status-escrow-kept = Ihre Organisation hat den Wiederherstellungsschlüssel ({ $keyid }) seit dem { $day }: { $receipt }
cli-status-escrow-missing = Ihre Organisation hat den Wiederherstellungsschlüssel nicht. Hinterlegen Sie ihn: latchkey recovery escrow { $path } --recovery-file DATEI
