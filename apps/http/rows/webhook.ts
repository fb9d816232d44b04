import type { JsonSchema, Side } from '../../../core/kernel/input/field.ts'
import type { Json } from '../../../core/kernel/records/record.ts'

/** Something that the server tells a receiver's own server, signed by the Standard Webhooks specification. */
export interface Webhook {
  /** `charge.paid`: what stands in the payload's `type`. */
  readonly event: string
  readonly area: string
  readonly summary: string
  readonly payload: { on(side: Side): { readonly schema: JsonSchema } }
  readonly example: Json
}
