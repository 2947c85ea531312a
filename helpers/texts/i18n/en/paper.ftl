# The recovery sheet on paper, and reading it back.

fault-paper-not-made = The page with the recovery key could not be made.
    .next = Write the key to a stick instead, and tell us what is under “Details”: this is a mistake in Latchkey.
fault-paper-no-code = There is no recovery key to be found in { $path }.
    .next = Take the photo again: all of the page on it, in good light, from straight above, the square with the pattern sharp. Or type the key from the page.
fault-paper-damaged = { $path } cannot be opened as a picture or a PDF.
    .next = Scan or photograph the page again, or type the key from it.
fault-paper-too-large = { $path } is larger than any scan of one page ({ $most_size } at most).
    .next = Choose the file with the page alone, as PDF, PNG or JPEG.
