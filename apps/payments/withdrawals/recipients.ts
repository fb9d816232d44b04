import { viewEach } from '../../../core/kernel/input/view.ts'
import type { PageOf } from '../../../core/kernel/values/page.ts'
import { parseId } from '../../../core/kernel/values/text.ts'
import {
  frequentFilter,
  type PartyWithRecipients,
  paidPartyView,
  recipientFilter,
  recipientView,
} from '../../../core/payments/withdrawals/recipients.ts'
import { json, page } from '../../http/replies/json-reply.ts'
import type { AnyRow } from '../../http/rows/row.ts'
import { listExample, route, succeedWith } from '../api.ts'
import { recipientExample } from './withdrawal-views.ts'

const recipientRow = {
  dialect: 'withdrawal',
  auth: 'account',
  methods: ['GET'],
  permission: 'withdrawals:read',
} as const
const legacyRow = { ...recipientRow, area: 'Saques (legado)' } as const

const LISTED = 'Destinatários listados com sucesso.'
const FREQUENT = 'Destinatários frequentes recuperados com sucesso.'
const FOUND = 'Destinatário recuperado com sucesso.'

/** The row of the most frequent recipients, which each of both APIs has. */
export const frequentRecipientsRow = (row: Pick<AnyRow, 'area' | 'name' | 'paths'>) =>
  route({
    ...recipientRow,
    ...row,
    summary: 'Lista os destinatários mais frequentes',
    input: { query: frequentFilter },
    run: ({ core, actor }, { query }) => core.withdrawals.frequentRecipients(actor, query),
    reply: json({ view: viewEach(recipientView), message: FREQUENT }),
    example: { given: 'withdrawn', reply: { success: true, data: [recipientExample], message: FREQUENT } },
  })

export const legacyRecipientRows: readonly AnyRow[] = [
  frequentRecipientsRow({
    area: legacyRow.area,
    name: 'legacy-recipients.frequent',
    paths: ['/legacypay/withdraws/recipients/frequent'],
  }),
  route({
    ...legacyRow,
    name: 'legacy-recipients.show',
    summary: 'Mostra um destinatário',
    paths: ['/legacypay/withdraws/recipients/frequent/:id'],
    record: ({ core, actor, request }) => core.withdrawals.readRecipient(actor, parseId(request.params.id ?? '')),
    input: {},
    run: ({ record }) => succeedWith(record),
    reply: json({ view: recipientView, message: FOUND }),
    errors: { 'recipient.unknown': {} },
    example: {
      given: 'recipient',
      request: { params: { id: '1' } },
      reply: { success: true, data: recipientExample, message: FOUND },
    },
  }),
  route({
    ...legacyRow,
    name: 'legacy-recipients.list',
    summary: 'Lista quem já recebeu da conta, por documento',
    paths: ['/legacypay/withdraws/recipients'],
    input: { query: recipientFilter },
    run: ({ core, actor }, { query }) => core.withdrawals.listPaidParties(actor, query),
    reply: page<PartyWithRecipients, PageOf<PartyWithRecipients>>({ view: paidPartyView, message: LISTED }),
    example: {
      given: 'withdrawn',
      reply: listExample(
        { name: recipientExample.name, document: recipientExample.document, pix_recipients: [recipientExample] },
        LISTED,
      ),
    },
  }),
]
