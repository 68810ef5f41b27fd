"""For those who teach: static pages of the lessons. No lesson imports from here."""
