import { failure, invalid, issue, left, right } from '../../failure.ts'
import { type DayRange, type DecodedOf, type InputOf, input, inQuery, withDefault } from '../../kernel/input/mod.ts'
import { all, gt } from '../../kernel/records/record.ts'
import { useCaseOf, withValidInput } from '../../kernel/running/use-case.ts'
import { dayOf, formatDay, type Instant } from '../../kernel/values/day.ts'
import { formatTaxId } from '../../kernel/values/tax-id.ts'
import type { ChargeListLine } from '../../ports/documents.ts'
import type { Chunks } from '../../ports/files.ts'
import { byId, listOf } from '../../ports/store.ts'
import { accounts } from '../accounts/account.ts'
import { type Charge, chargeStatusView, charges, type PaymentMethod } from '../charges/charge.ts'
import { type ChargeDetail, withClients } from '../charges/detail.ts'
import { chargeSummaryFields, matchingCharges, summaryOf } from '../charges/queries/list.ts'
import { clients } from '../customers/client.ts'
import type { Actor, PaymentsPorts } from '../payments-ports.ts'
import { CONTENT_TYPES, type Column, type ExportedFile, holderOf, MAX_PDF_ENTRIES, tableOf } from './document.ts'
import { EXPORT_FORMATS } from './export.ts'

/** The filters of the list, and the format of the file. */
export const chargeTableFilter = input('ChargeTableFilter', {
  ...chargeSummaryFields,
  format: withDefault(inQuery.oneOf(EXPORT_FORMATS, { about: 'Formato do arquivo' }), 'csv'),
})
export type ChargeTableFilter = InputOf<typeof chargeTableFilter>
type Filter = Omit<DecodedOf<typeof chargeTableFilter>, 'format'>

const PAGE_SIZE = 500

/** A table is written while it is read, a PDF as a whole. */
export const downloadCharges =
  (ports: PaymentsPorts) =>
  ({ accountId }: Pick<Actor, 'accountId'>, sent: ChargeTableFilter) =>
    withValidInput(ports, chargeTableFilter, sent, ({ format, ...filter }) =>
      useCaseOf<ExportedFile>()(async () => {
        const asOf = ports.clock.steady()
        const pages = chargePages(ports, accountId, filter, asOf)
        // The count comes from a tally, so a list that no PDF can hold is not read.
        if (format === 'pdf' && (await summaryOf(ports, accountId, filter)).count > MAX_PDF_ENTRIES)
          return left(invalid([issue('format', 'export.pdf-charges-max', { max: MAX_PDF_ENTRIES })]))
        const first = await pages.next()
        if (first.done) return left(failure('not-found', 'export.empty'))
        const all = joined(first.value, pages)
        const file = { name: `cobrancas-${dayOf(asOf)}.${format}`, contentType: CONTENT_TYPES[format] }
        if (format === 'pdf') return right({ ...file, chunks: pdfChunks(ports, accountId, filter, all) })
        return right({ ...file, chunks: ports.sheetWriter[format](tableOf('Cobranças', COLUMNS, all)) })
      }),
    )

/** Reads the matching charges page by page by their ids, so that a charge which is issued meanwhile moves no other. */
async function* chargePages(
  ports: PaymentsPorts,
  accountId: number,
  filter: Filter,
  asOf: Instant,
): AsyncGenerator<readonly ChargeDetail[], undefined> {
  const { where, ...query } = await matchingCharges(ports, accountId, filter, asOf)
  let last = 0
  for (;;) {
    const { records } = await ports.store.list(
      listOf(charges, {
        ...query,
        where: all(where, gt('id', last)),
        sort: { by: 'id', dir: 'asc' },
        limit: PAGE_SIZE,
      }),
    )
    if (records.length > 0) yield await withClients(ports, records, asOf)
    if (records.length < PAGE_SIZE) return
    last = records.at(-1)?.id ?? last
  }
}

type Pages = AsyncIterable<readonly ChargeDetail[]>

async function* joined(first: readonly ChargeDetail[], others: Pages): Pages {
  yield first
  yield* others
}

const METHOD_NAMES: Readonly<Record<PaymentMethod, string>> = {
  PIX: 'Pix',
  BOLETO: 'Boleto',
  BOLEPIX: 'Bolepix',
  CREDIT_CARD: 'Cartão',
}

const COLUMNS: readonly Column<ChargeDetail>[] = [
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

async function* pdfChunks(ports: PaymentsPorts, accountId: number, filter: Filter, pages: Pages): Chunks {
  const { account, client } = await ports.store.read({
    account: byId(accounts, accountId),
    client: byId(clients, filter.clientId ?? 0),
  })
  if (!account) throw new Error(`no account ${accountId}`)
  const details: ChargeDetail[] = []
  for await (const page of pages) details.push(...page)
  const sum = (read: (charge: Charge) => number | null): number =>
    details.reduce((total, { charge }) => total + (read(charge) ?? 0), 0)
  const payer = client?.accountId === accountId ? client.name : null
  yield await ports.statementRenderer.chargeListPdf({
    holder: holderOf(account),
    issuedAt: ports.clock.now(),
    filters: filterWords(filter, payer),
    valueCents: sum(({ valueCents }) => valueCents),
    paidCents: sum(({ amountPaidCents }) => amountPaidCents),
    refundedCents: sum(({ refundedCents }) => refundedCents),
    lines: details.map(lineOf),
  })
}

const lineOf = ({ charge, client }: ChargeDetail): ChargeListLine => ({
  id: charge.id,
  client: client.name,
  document: client.document && formatTaxId(client.document),
  description: charge.description,
  method: METHOD_NAMES[charge.paymentMethod],
  status: chargeStatusView.of(charge.status).description,
  dueDate: charge.dueDate,
  valueCents: charge.valueCents,
  paid: charge.amountPaidCents === null ? null : { cents: charge.amountPaidCents, day: charge.paymentDate },
  refundedCents: charge.refundedCents,
})

const rangeWords = (name: string, { from, to }: DayRange): readonly string[] => {
  if (from === undefined) return to === undefined ? [] : [`${name} até ${formatDay(to)}`]
  return [`${name} ${to === undefined ? `desde ${formatDay(from)}` : `de ${formatDay(from)} a ${formatDay(to)}`}`]
}

/** Returns the filters in words; null without one. `payer` is the name of the filtered client, if it exists. */
const filterWords = (filter: Filter, payer: string | null): string | null => {
  const { search, statuses, methods, clientId, due, paid, created } = filter
  const words = [
    ...(statuses ? [`situação ${statuses.map((status) => chargeStatusView.of(status).description).join(', ')}`] : []),
    ...(methods ? [`meio ${methods.map((method) => METHOD_NAMES[method]).join(', ')}`] : []),
    ...(clientId === undefined ? [] : [`cliente ${payer ?? `nº ${clientId}`}`]),
    ...rangeWords('vencimento', due),
    ...rangeWords('pagamento', paid),
    ...rangeWords('criação', created),
    ...(search ? [`busca por “${search}”`] : []),
  ]
  return words.length === 0 ? null : words.join('; ')
}
