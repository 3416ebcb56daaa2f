/**
 * What a CLI may call its session. It comes back as an argument when the session is resumed, and the file that it is
 * read from can be forged: no option, no path, no blank.
 */
export const SESSION_ID_PATTERN = '^[A-Za-z0-9][A-Za-z0-9_.:-]*$'
