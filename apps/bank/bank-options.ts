/** What is served of a bank, for whoever has one that needs it. */
export interface BankOptions {
  /** Whether it has the console of the embedded bank, by which anybody pays anything; `false` by default. */
  readonly fakeBankConsole?: boolean
  /** The secret of the path at which a bank of the API Pix tells of payments; without it there is no such path. */
  readonly pixApiSecret?: string
}
