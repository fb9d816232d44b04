import { counts } from '../../core/kernel/running/concurrency.ts'
import { formatMoment } from '../../core/kernel/values/day.ts'
import { formatReais } from '../../core/kernel/values/money.ts'
import type {
  ChargeListPaper,
  Receipt,
  ReceiptParty,
  Statement,
  StatementHolder,
  StatementRenderer,
} from '../../core/ports/documents.ts'
import { StoreUnavailable } from '../../core/ports/store.ts'
import { sideThread, threadEntry } from '../concurrency/side-thread.ts'
import { slots } from '../concurrency/slots.ts'
import { drawingQueue, setMetadata } from './document.ts'
import { fittingSize, MUTED, mm, openSheet, type Sheet, TINT } from './sheet.ts'

/** A document with any number of lines, which a thread draws. */
export type LongPaper = Statement | ChargeListPaper

/**
 * Draws statements, lists of charges and receipts with pdf-lib. A statement or list may have thousands of lines and
 * take seconds: it is drawn in a thread, one at a time, the accounts in turn. A receipt is drawn in this thread.
 * Rejects with `StoreUnavailable` if too many documents of one account wait.
 */
export const pdfStatementRenderer = (
  draw: (paper: LongPaper) => Promise<Uint8Array> = drawInThread,
): StatementRenderer => {
  const [oneByOne, bounded, enqueue] = [slots(1), boundedBy(MAX_WAITING), drawingQueue()]
  const drawLong = (paper: LongPaper): Promise<Uint8Array> => {
    const account = accountOf(paper.holder)
    return bounded(account, () => oneByOne(() => draw(paper), account))
  }
  return {
    statementPdf: drawLong,
    chargeListPdf: drawLong,
    receiptPdf: (receipt) => enqueue(() => receiptPdf(receipt), accountOf(receipt.holder)),
  }
}

const DRAWER = 'statement-drawer'
/** The limit of long documents of one account that are drawn or wait: each holds its lines in memory. */
const MAX_WAITING = 16

/** Draws a document in a thread of its own, whose memory is freed at its end. */
const drawInThread = async (paper: LongPaper): Promise<Uint8Array> => {
  const drawer = sideThread<LongPaper, Uint8Array>(DRAWER, threadEntry(import.meta.url, DRAWER), null)
  try {
    return await drawer.run(paper)
  } finally {
    await drawer.close()
  }
}

const accountOf = ({ bank, agency, account }: StatementHolder): string => [bank, agency, account].join('|')

/** Limits the tasks of each account; a task over the limit rejects at once. */
const boundedBy = (most: number) => {
  const pending = counts()
  return async <A>(account: string, task: () => Promise<A>): Promise<A> => {
    if (pending.of(account) >= most)
      throw new StoreUnavailable(`${most} documents of the account are waiting to be drawn`)
    pending.add(account, 1)
    try {
      return await task()
    } finally {
      pending.add(account, -1)
    }
  }
}

/** Draws the receipt of a movement on one page. */
export const receiptPdf = async (receipt: Receipt): Promise<Uint8Array> => {
  const sheet = await openSheet(receipt)
  const { id, type, issuedAt, valueCents, holder } = receipt
  setMetadata(sheet.document, { title: `Comprovante ${id}`, author: holder.name, createdAt: issuedAt })
  sheet.line('Comprovante', { x: X, y: 74, width: WIDTH }, { size: 19, bold: true })
  sheet.line(type, { x: X, y: 92, width: WIDTH }, { size: 10.6, color: MUTED })
  sheet.fill({ x: X, y: 106, width: WIDTH, height: 62 }, TINT)
  sheet.line(valueCents < 0 ? 'Valor debitado' : 'Valor creditado', { x: X + 14, y: 126, width: WIDTH - 28 }, LABEL)
  const value = formatReais(Math.abs(valueCents))
  sheet.line(value, { x: X + 14, y: 153, width: WIDTH - 28 }, { size: 23, bold: true, least: 12 })
  const sections = sectionsOf(receipt)
  const size = fittingSize(LARGEST, (size) => FIRST + sectionsHeight(sheet, sections, size) <= LAST)
  const y = sections.reduce((under, section) => drawSection(sheet, under, section, size), FIRST)
  const foot = `Emitido em ${formatMoment(issuedAt)}, horário de Brasília`
  sheet.line(foot, { x: X, y: y + 22, width: WIDTH }, { size: 7.6, color: MUTED })
  return sheet.document.save()
}

/** The width of a receipt in a bank's app, in the middle of the page. */
const WIDTH = mm(130)
const X = (mm(210) - WIDTH) / 2
const LABEL_WIDTH = 118
const VALUE_WIDTH = WIDTH - LABEL_WIDTH
const LABEL = { size: 8.6, color: MUTED } as const
const LARGEST = 9.4
const ROW_GAP = 5.5
const SECTION_HEAD = 25
const SECTION_GAP = 8
const FIRST = 182
const LAST = mm(297) - 52

type Fact = readonly [label: string, value: string]
type Section = readonly [title: string, facts: readonly Fact[]]

const factHeight = (sheet: Sheet, [, value]: Fact, size: number): number =>
  sheet.height(value, VALUE_WIDTH, { size }) + ROW_GAP

const drawFact = (sheet: Sheet, y: number, fact: Fact, size: number): number => {
  const [label, value] = fact
  const height = factHeight(sheet, fact, size)
  sheet.line(label, { x: X, y: y + 3.7 + size * 0.78, width: LABEL_WIDTH }, LABEL)
  const box = { x: X + LABEL_WIDTH, y: y + 3.7, width: VALUE_WIDTH, height }
  sheet.lines(value, box, { size, align: 'right' })
  return y + height
}

const drawSection = (sheet: Sheet, y: number, [title, facts]: Section, size: number): number => {
  sheet.line(title, { x: X, y: y + 16, width: WIDTH }, { size: 10.6, bold: true })
  sheet.rule({ x: X, y: y + 22 }, { x: X + WIDTH, y: y + 22 }, 0.4)
  return facts.reduce((under, fact) => drawFact(sheet, under, fact, size), y + SECTION_HEAD) + SECTION_GAP
}

const sectionsHeight = (sheet: Sheet, sections: readonly Section[], size: number): number =>
  sections
    .flatMap(([, facts]) => facts)
    .reduce((sum, fact) => sum + factHeight(sheet, fact, size), sections.length * (SECTION_HEAD + SECTION_GAP))

const partyFacts = (party: ReceiptParty | null): readonly (readonly [string, string | null])[] =>
  party === null
    ? []
    : [
        ['Nome', party.name],
        ['CPF/CNPJ', party.document === '' ? null : party.document],
        ['Instituição', party.bankAccount],
      ]

/** Returns the facts of a movement in sections; an empty section is left out. */
const sectionsOf = (receipt: Receipt): readonly Section[] => {
  const { id, at, status, description, refundNote, payer, receiver, holder, endToEndId, txid } = receipt
  const sections: readonly (readonly [string, readonly (readonly [string, string | null])[]])[] = [
    [
      'Transação',
      [
        ['Data e hora', formatMoment(at)],
        ['Situação', status],
        ['Devolução', refundNote],
        ['Descrição', description === '' ? null : description.replace(/\s+/g, ' ')],
      ],
    ],
    ['Quem pagou', partyFacts(payer)],
    ['Quem recebeu', partyFacts(receiver)],
    [
      'Conta',
      [
        ['Titular', holder.name],
        ['CPF/CNPJ', holder.document],
        ['Banco', holder.bank],
        ['Agência e conta', `${holder.agency} / ${holder.account}`],
      ],
    ],
    [
      'Identificação',
      [
        ['Número da transação', `${id}`],
        ['ID do Pix (EndToEnd)', endToEndId],
        ['TxID', txid],
      ],
    ],
  ]
  return sections
    .map(([title, facts]): Section => [title, facts.filter((fact): fact is Fact => fact[1] !== null)])
    .filter(([, facts]) => facts.length > 0)
}
