const ID = /^[1-9]\d{0,14}$/

/** The id that a text of a path or header names; null where it names none. */
export const recordId = (text: string): number | null => (ID.test(text) ? Number(text) : null)
