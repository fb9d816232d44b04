import { formatTaxId } from '../../kernel/values/tax-id.ts'
import type { Party } from '../../ports/bank.ts'
import type { Sheet, SheetColumn, SheetRow } from '../../ports/sheets.ts'
import { accountBalanceOf, type Entry } from '../ledger/entry.ts'
import { transactionType } from '../ledger/transaction-type.ts'
import { STATUS_TITLES } from '../statements/transaction-view.ts'

type Column = SheetColumn & { readonly of: (entry: Entry) => SheetRow[number] }

const column = (title: string, kind: SheetColumn['kind'], width: number, of: Column['of']): Column => ({
  title,
  kind,
  width,
  of,
})

const documentOf = (party: Party | null): string | null => party && (formatTaxId(party.document) || null)

const COLUMNS: readonly Column[] = [
  column('ID', 'integer', 10, ({ id }) => id),
  column('Data e hora', 'instant', 19, ({ datetime }) => datetime),
  column('Descrição', 'text', 40, ({ description }) => description || null),
  column('Tipo', 'text', 24, ({ typeId }) => transactionType(typeId)?.name ?? null),
  column('Situação', 'text', 12, ({ status }) => STATUS_TITLES[status] ?? null),
  column('Valor', 'money', 14, ({ valueCents }) => valueCents),
  column('Saldo', 'money', 16, accountBalanceOf),
  column('TxID', 'text', 36, ({ txid }) => txid),
  column('EndToEndId', 'text', 36, ({ endToEnd }) => endToEnd),
  column('Pagador', 'text', 32, ({ payer }) => payer?.name ?? null),
  column('Documento do pagador', 'text', 20, ({ payer }) => documentOf(payer)),
  column('Recebedor', 'text', 32, ({ receiver }) => receiver?.name ?? null),
  column('Documento do recebedor', 'text', 20, ({ receiver }) => documentOf(receiver)),
]

async function* rowsOf(pages: AsyncIterable<readonly Entry[]>): Sheet['rows'] {
  for await (const page of pages) yield page.map((entry) => COLUMNS.map(({ of }) => of(entry)))
}

/** Entries as a table, a line for each. */
export const sheetOf = (pages: AsyncIterable<readonly Entry[]>): Sheet => ({
  title: 'Extrato',
  columns: COLUMNS.map(({ title, kind, width }) => ({ title, kind, width })),
  rows: rowsOf(pages),
})
