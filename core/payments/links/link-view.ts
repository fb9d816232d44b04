import { nullable } from '../../kernel/input/field.ts'
import { id, timestamp } from '../../kernel/input/scalars.ts'
import { pick } from '../../kernel/input/table.ts'
import { line } from '../../kernel/input/texts.ts'
import { output, view } from '../../kernel/input/view.ts'
import type { Instant } from '../../kernel/values/day.ts'
import { linkStatusAt, type PaymentLink } from './link/link.ts'
import { linkFields } from './link/link-fields.ts'
import { linkStatusView } from './link/link-status.ts'
import type { LinkUses } from './link/link-uses.ts'

/** A link without its secret and what only its keeping is about. */
export type ShownLink = Omit<PaymentLink, 'tokenSealed' | 'cardPayments'>

/** A link with its uses, as it stood at an instant. */
export interface LinkDetail {
  readonly link: ShownLink
  readonly uses: LinkUses
  /** What a payer opens, its token included. */
  readonly publicUrl: string
  readonly asOf: Instant
}

/** A link as the API shows it. Source: 02-billing.md, Payment link. */
export const linkView = view(
  'PaymentLink',
  {
    id: output.text({ about: 'Identificador público' }),
    ...pick(linkFields, 'title', 'description', 'amountCents', 'currency', 'isVariableAmount', 'minAmountCents'),
    maxAmountCents: linkFields.maxAmountCents,
    status: output.view(linkStatusView, { about: 'Situação' }),
    ...pick(linkFields, 'paymentMethods', 'expiresAt', 'maxUses'),
    usesCount: output.count({ about: 'Quantas vezes foi pago' }),
    ...pick(linkFields, 'successUrl', 'cancelUrl', 'webhookUrl', 'referenceCode', 'installments'),
    ...pick(linkFields, 'passTransactionFeeToCustomer', 'sendClientId'),
    publicUrl: output.text({ about: 'Endereço que se manda a quem paga' }),
    createdAt: timestamp({ about: 'Criação' }),
    updatedAt: timestamp({ about: 'Última alteração' }),
  },
  ({ link, uses, publicUrl, asOf }: LinkDetail) => ({
    ...link,
    status: linkStatusAt(link, asOf),
    usesCount: uses.usesCount,
    publicUrl,
  }),
)

/** Somebody or something by its name. */
export interface NamedRecord {
  readonly id: number
  readonly name: string
}

/** A link with who made it, who changed it last, and whom it is for. */
export interface FullLink extends LinkDetail {
  readonly creator: NamedRecord | null
  readonly updater: NamedRecord | null
  readonly customer: NamedRecord | null
}

const namedView = view(
  'Named',
  { id: id({ about: 'Identificador' }), name: line({ max: 255, about: 'Nome' }) },
  (named: NamedRecord) => named,
)

/** Source: 02-billing.md, Payment link; decisions.md §9, Shapes. */
export const fullLinkView = view(
  'FullPaymentLink',
  {
    ...linkView.table,
    creator: nullable(output.view(namedView, { about: 'Quem criou' })),
    updater: nullable(output.view(namedView, { about: 'Quem alterou por último' })),
    customer: nullable(output.view(namedView, { about: 'O cliente para quem foi feito' })),
  },
  (detail: FullLink) => {
    const { creator, updater, customer } = detail
    return { ...linkView.of(detail), creator, updater, customer }
  },
)
