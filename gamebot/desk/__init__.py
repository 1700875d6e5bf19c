"""Who works on a table: enrolment, seats, people coming and going, turn clock, voice and topic."""
