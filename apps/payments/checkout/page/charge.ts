import type { PayableCharge } from '../../../../core/payments/checkout/read-payment.ts'
import { PAGE_TYPE } from '../../../http/pages/page.ts'
import { text } from '../../../http/replies/raw-reply.ts'
import type { AnyRow } from '../../../http/rows/row.ts'
import { route } from '../../api.ts'
import { chargeExample } from '../../charges/charge-example.ts'
import { CHARGE_PAGE_HEADERS, chargePage } from './charge-page.ts'

/** Where the mails and messages of a charge lead. Source: decisions.md §9. */
export const chargePageRows: readonly AnyRow[] = [
  route({
    name: 'checkout.charge-page',
    area: 'Páginas',
    summary: 'Página em que se paga uma cobrança',
    methods: ['GET'],
    paths: ['/pay/charge/:code'],
    parameters: { code: 'Código da cobrança' },
    dialect: 'page',
    auth: 'public',
    input: {},
    run: ({ core, request }) => core.checkout.read(request.params.code ?? ''),
    reply: text<PayableCharge>({
      type: PAGE_TYPE,
      headers: CHARGE_PAGE_HEADERS,
      view: (found, { path }) => chargePage(found, path),
    }),
    errors: { 'charge.unknown': {} },
    example: { given: 'payableCharge', request: { params: { code: chargeExample.code } }, reply: null },
  }),
]
