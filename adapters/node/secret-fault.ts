/** What of a setup a secret was looked for in. */
export type SecretOption = 'dataKey' | 'dataDir'

/** A secret that is missing, cannot be kept, or is not the one of the store: nothing was made in its place. */
export class SecretFault extends Error {
  override readonly name = 'SecretFault'
  readonly option: SecretOption
  /** The message without the option. */
  readonly why: string

  constructor(option: SecretOption, why: string) {
    super(`${option}: ${why}`)
    this.option = option
    this.why = why
  }
}
