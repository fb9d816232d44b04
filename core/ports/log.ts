/** The log of the operator. Its lines contain no secret and nothing of a person. */
export interface Log {
  warn(message: string, facts?: Readonly<Record<string, string | number>>): void
  /** For a fault that lasts until a person acts. */
  error(message: string, facts?: Readonly<Record<string, string | number>>): void
}
