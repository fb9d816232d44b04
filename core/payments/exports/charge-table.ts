import { failure, left, right } from '../../failure.ts'
import { withDefault } from '../../kernel/input/field.ts'
import { type DecodedOf, type InputOf, input } from '../../kernel/input/input.ts'
import { inQuery } from '../../kernel/input/query.ts'
import { all, gt } from '../../kernel/records/record.ts'
import { useCaseOf, withValidInput } from '../../kernel/running/use-case.ts'
import { dayOf, formatDay, type Instant } from '../../kernel/values/day.ts'
import { formatTaxId } from '../../kernel/values/tax-id.ts'
import type { Sheet, SheetColumn, SheetRow } from '../../ports/sheets.ts'
import { listOf } from '../../ports/store.ts'
import { type Charge, chargeStatusView, charges, type PaymentMethod } from '../charges/charge.ts'
import { type ChargeDetail, withClients } from '../charges/detail.ts'
import { chargeSummaryFields, matchingCharges } from '../charges/list.ts'
import type { Actor, PaymentsPorts } from '../payments-ports.ts'
import { CONTENT_TYPES, type ExportedFile } from './document.ts'

const TABLE_FORMATS = ['csv', 'xlsx'] as const

/** The filters of the list, and the format of the file. */
export const chargeTableFilter = input('ChargeTableFilter', {
  ...chargeSummaryFields,
  format: withDefault(inQuery.oneOf(TABLE_FORMATS, { about: 'Formato do arquivo' }), 'csv'),
})

export type ChargeTableFilter = InputOf<typeof chargeTableFilter>
type Request = DecodedOf<typeof chargeTableFilter>

const PAGE_SIZE = 500

/** Creates a table of the account's charges while it is read, in the order of their issue. */
export const downloadCharges =
  (ports: PaymentsPorts) =>
  ({ accountId }: Pick<Actor, 'accountId'>, sent: ChargeTableFilter) =>
    withValidInput(ports, chargeTableFilter, sent, ({ format, ...filter }) =>
      useCaseOf<ExportedFile>()(async () => {
        const asOf = ports.clock.steady()
        const pages = chargePages(ports, accountId, filter, asOf)
        const first = await pages.next()
        if (first.done) return left(failure('not-found', 'export.empty'))
        const sheet = { title: 'Cobranças', columns, rows: rowsOf(first.value, pages) }
        const name = `cobrancas-${dayOf(asOf)}.${format}`
        return right({ name, contentType: CONTENT_TYPES[format], chunks: ports.sheetWriter[format](sheet) })
      }),
    )

/** Reads the matching charges page by page by their ids, so that a charge which is issued meanwhile moves no other. */
async function* chargePages(
  ports: PaymentsPorts,
  accountId: number,
  filter: Omit<Request, 'format'>,
  asOf: Instant,
): AsyncGenerator<readonly ChargeDetail[], undefined> {
  const { where, ...query } = await matchingCharges(ports, accountId, filter, asOf)
  let last = 0
  for (;;) {
    const { records } = await ports.store.list(
      listOf(charges, {
        ...query,
        where: all<keyof Charge & string>(where, gt('id', last)),
        sort: { by: 'id', dir: 'asc' },
        limit: PAGE_SIZE,
      }),
    )
    if (records.length > 0) yield await withClients(ports, records, asOf)
    if (records.length < PAGE_SIZE) return
    last = records.at(-1)?.id ?? last
  }
}

async function* rowsOf(first: readonly ChargeDetail[], others: AsyncIterable<readonly ChargeDetail[]>): Sheet['rows'] {
  yield first.map(rowOf)
  for await (const page of others) yield page.map(rowOf)
}

const METHOD_NAMES: Readonly<Record<PaymentMethod, string>> = {
  PIX: 'Pix',
  BOLETO: 'Boleto',
  BOLEPIX: 'Bolepix',
  CREDIT_CARD: 'Cartão',
}

type Column = readonly [
  title: string,
  kind: SheetColumn['kind'],
  width: number,
  read: (detail: ChargeDetail) => SheetRow[number],
]

const COLUMNS: readonly Column[] = [
  ['Número', 'integer', 10, ({ charge }) => charge.id],
  ['Cliente', 'text', 32, ({ client }) => client.name],
  ['CPF ou CNPJ', 'text', 20, ({ client }) => client.document && formatTaxId(client.document)],
  ['E-mail', 'text', 32, ({ client }) => client.email],
  ['Descrição', 'text', 40, ({ charge }) => charge.description],
  ['Meio', 'text', 10, ({ charge }) => METHOD_NAMES[charge.paymentMethod]],
  ['Situação', 'text', 14, ({ charge }) => chargeStatusView.of(charge.status).description],
  ['Vencimento', 'text', 12, ({ charge }) => formatDay(charge.dueDate)],
  ['Valor', 'money', 14, ({ charge }) => charge.valueCents],
  ['Recebido', 'money', 14, ({ charge }) => charge.amountPaidCents],
  ['Devolvido', 'money', 14, ({ charge }) => charge.refundedCents],
  ['Pago em', 'text', 12, ({ charge }) => charge.paymentDate && formatDay(charge.paymentDate)],
  ['Emitida', 'instant', 19, ({ charge }) => charge.createdAt],
  ['TxID', 'text', 36, ({ charge }) => charge.txid],
  ['Código', 'text', 24, ({ charge }) => charge.code],
]

const columns: readonly SheetColumn[] = COLUMNS.map(([title, kind, width]) => ({ title, kind, width }))

const rowOf = (detail: ChargeDetail): SheetRow => COLUMNS.map(([, , , read]) => read(detail))
