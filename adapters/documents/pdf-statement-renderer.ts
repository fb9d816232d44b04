import { setImmediate } from 'node:timers/promises'
import { formatReais } from '../../core/kernel/values/money.ts'
import type {
  Receipt,
  ReceiptParty,
  Statement,
  StatementHolder,
  StatementRenderer,
} from '../../core/ports/documents.ts'
import { StoreUnavailable } from '../../core/ports/store.ts'
import { sideThread, threadEntry } from '../concurrency/side-thread.ts'
import { slots } from '../concurrency/slots.ts'
import { MUTED, mm, openSheet, type Sheet, TINT } from './sheet.ts'
import { moment } from './statement-pdf.ts'

const DRAWER = 'statement-drawer'
/** Statements of one account that are drawn or wait: what they hold, and whoever waits for them, would else have no bound. */
const MOST_WAITING = 16

/** A thread for each, which takes what it has needed of the memory with it. */
const drawnAside = async (statement: Statement): Promise<Uint8Array> => {
  const drawer = sideThread<Statement, Uint8Array>(DRAWER, threadEntry(import.meta.url, DRAWER), null)
  try {
    return await drawer.ask(statement)
  } finally {
    await drawer.close()
  }
}

const accountOf = ({ bank, agency, account }: StatementHolder): string => [bank, agency, account].join('|')

/** At most so many of one account; what is over it is told so at once. */
const bounded = (most: number) => {
  const counts = new Map<string, number>()
  return async <A>(of: string, task: () => Promise<A>): Promise<A> => {
    const count = counts.get(of) ?? 0
    if (count >= most) throw new StoreUnavailable(`${most} statements of the account wait to be drawn`)
    counts.set(of, count + 1)
    try {
      return await task()
    } finally {
      const left = (counts.get(of) ?? 1) - 1
      if (left > 0) counts.set(of, left)
      else counts.delete(of)
    }
  }
}

/**
 * Statements by pdf-lib, each in a thread, one at a time and account by account: thousands of lines take seconds. A receipt is
 * short, and drawn where it is asked for, between two turns of whoever else is served. Rejects with `StoreUnavailable` where
 * too many statements of one account wait.
 */
export const pdfStatementRenderer = (
  draw: (statement: Statement) => Promise<Uint8Array> = drawnAside,
): StatementRenderer => {
  const [aside, here, held] = [slots(1), slots(1), bounded(MOST_WAITING)]
  return {
    statementPdf: (statement) => {
      const of = accountOf(statement.holder)
      return held(of, () => aside(() => draw(statement), of))
    },
    receiptPdf: (receipt) =>
      here(async () => {
        await setImmediate()
        return receiptPdf(receipt)
      }, accountOf(receipt.holder)),
  }
}

/** As narrow as a bank's app shows it, in the middle of the page. */
const WIDTH = mm(130)
const X = (mm(210) - WIDTH) / 2
const LABEL_WIDTH = 118
const VALUE_WIDTH = WIDTH - LABEL_WIDTH
const LABEL = { size: 8.6, color: MUTED } as const
/** Of a fact, and what it becomes where all facts would not stand on the page. */
const [LARGEST, SMALLEST, STEP] = [9.4, 3.2, 0.3]
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

/** The largest size at which all sections stand on the page. */
const fittingSize = (sheet: Sheet, sections: readonly Section[]): number => {
  const heightAt = (size: number): number =>
    sections
      .flatMap(([, facts]) => facts)
      .reduce((sum, fact) => sum + factHeight(sheet, fact, size), sections.length * (SECTION_HEAD + SECTION_GAP))
  let size: number = LARGEST
  while (FIRST + heightAt(size) > LAST && size > SMALLEST) size -= STEP
  return size
}

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
  const { id, at, status, description, refundNote: returned, payer, receiver, holder, endToEndId, txid } = receipt
  const sections: readonly (readonly [string, readonly (readonly [string, string | null])[]])[] = [
    [
      'Transação',
      [
        ['Data e hora', moment(at)],
        ['Situação', status],
        ['Devolução', returned],
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

/** One movement as a bank's app shows it to be passed on. */
export const receiptPdf = async (receipt: Receipt): Promise<Uint8Array> => {
  const sheet = await openSheet(receipt)
  const { document } = sheet
  const { id, type, issuedAt, valueCents, holder } = receipt
  const on = new Date(issuedAt)
  document.setTitle(`Comprovante ${id}`, { showInWindowTitleBar: true })
  document.setAuthor(holder.name)
  document.setLanguage('pt-BR')
  document.setProducer('Portico')
  document.setCreator('Portico')
  document.setCreationDate(on)
  document.setModificationDate(on)

  sheet.line('Comprovante', { x: X, y: 74, width: WIDTH }, { size: 19, bold: true })
  sheet.line(type, { x: X, y: 92, width: WIDTH }, { size: 10.6, color: MUTED })
  sheet.fill({ x: X, y: 106, width: WIDTH, height: 62 }, TINT)
  sheet.line(valueCents < 0 ? 'Valor debitado' : 'Valor creditado', { x: X + 14, y: 126, width: WIDTH - 28 }, LABEL)
  const value = formatReais(Math.abs(valueCents))
  sheet.line(value, { x: X + 14, y: 153, width: WIDTH - 28 }, { size: 23, bold: true, least: 12 })
  const sections = sectionsOf(receipt)
  const size = fittingSize(sheet, sections)
  const y = sections.reduce((under, section) => drawSection(sheet, under, section, size), FIRST)
  const foot = `Emitido em ${moment(issuedAt)}, horário de Brasília`
  sheet.line(foot, { x: X, y: y + 22, width: WIDTH }, { size: 7.6, color: MUTED })
  return document.save()
}
