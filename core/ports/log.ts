/** Where the business tells the operator what no caller hears. Never a secret, nor anything of a person. */
export interface Log {
  warn(message: string, facts?: Readonly<Record<string, string | number>>): void
}
