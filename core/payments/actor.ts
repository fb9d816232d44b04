import type { Permission } from './accounts/role.ts'

/** Somebody whose session is alive, wherever they act. */
export interface Person {
  readonly userId: number
  readonly sessionId: string
  /** The account in the token, for what names no other. */
  readonly tokenAccountId: number | null
}

/** A person who acts in an account, with what their role may there. */
export interface Actor {
  readonly userId: number
  readonly accountId: number
  readonly roleId: number
  readonly permissions: readonly Permission[]
}
