"""Who somebody is, what they may, whom nobody hears, how much they may ask."""
