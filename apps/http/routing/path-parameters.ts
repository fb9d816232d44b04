/** Each parameter of a path (`:id`, `*rest`). A colon that is a letter of the path is escaped: `accounts\:signUp`. */
export const PARAMETERS = /(?<!\\)[:*](\w+)/g

/** A path as it is asked for, but for its parameters. */
export const unescaped = (path: string): string => path.replaceAll('\\:', ':')

/** A path with its parameters in braces: `/invoices/{id}`. */
export const templateOf = (path: string): string => unescaped(path.replace(PARAMETERS, '{$1}'))
