import type { Permission } from './accounts/role.ts'
import type { Origin } from './identity/sessions/session.ts'

/** Somebody whose session is alive, wherever they act. */
export interface Person {
  readonly userId: number
  readonly sessionId: string
  /** The account in the token, for what names no other. */
  readonly tokenAccountId: number | null
  /** The account for whose API key they got their token, and where alone it opens anything; null for who signed in. */
  readonly boundTo: number | null
  /** Where they call from, for the audit; left out where whoever embeds the core does not say. */
  readonly origin?: Origin | null
}

/** A person who acts in an account, with what their role may there. */
export interface Actor {
  readonly userId: number
  readonly accountId: number
  readonly roleId: number
  readonly permissions: readonly Permission[]
  readonly origin?: Origin | null
}
