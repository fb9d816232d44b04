import { formatReais } from '../../../core/kernel/values/money.ts'
import type { Receipt, ReceiptParty } from '../../../core/ports/statement-renderer.ts'
import { MUTED, mm, openSheet, type Sheet, TINT } from '../sheet.ts'
import { moment } from './statement-head.ts'

/** As narrow as a bank's app shows it, in the middle of the page. */
const WIDTH = mm(130)
const X = (mm(210) - WIDTH) / 2
const LABEL_WIDTH = 118
const LABEL = { size: 8.6, color: MUTED } as const
const ROW = 17

const drawFact = (sheet: Sheet, y: number, label: string, value: string): number => {
  sheet.line(label, { x: X, y: y + 11, width: LABEL_WIDTH }, LABEL)
  const told = { x: X + LABEL_WIDTH, width: WIDTH - LABEL_WIDTH }
  sheet.line(value, { ...told, y: y + 11 }, { size: 9.4, align: 'right', least: 6.4 })
  return y + ROW
}

const drawSection = (
  sheet: Sheet,
  y: number,
  title: string,
  facts: readonly (readonly [string, string | null])[],
): number => {
  const told = facts.filter((fact): fact is readonly [string, string] => fact[1] !== null)
  if (told.length === 0) return y
  sheet.line(title, { x: X, y: y + 16, width: WIDTH }, { size: 10.6, bold: true })
  sheet.rule({ x: X, y: y + 22 }, { x: X + WIDTH, y: y + 22 }, 0.4)
  let under = y + 25
  for (const [label, value] of told) under = drawFact(sheet, under, label, value)
  return under + 8
}

const partyFacts = (party: ReceiptParty | null): readonly (readonly [string, string | null])[] =>
  party === null
    ? []
    : [
        ['Nome', party.name],
        ['CPF/CNPJ', party.document === '' ? null : party.document],
        ['Instituição', party.place],
      ]

/** One movement as a bank's app shows it to be passed on. */
export const receiptPdf = async (receipt: Receipt): Promise<Uint8Array> => {
  const sheet = await openSheet(receipt)
  const { document } = sheet
  const { id, type, status, at, issuedAt, valueCents, description, holder } = receipt
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
  let y = drawSection(sheet, 182, 'Transação', [
    ['Data e hora', moment(at)],
    ['Situação', status],
    ['Devolução', receipt.returned],
    ['Descrição', description === '' ? null : description],
  ])
  y = drawSection(sheet, y, 'Quem pagou', partyFacts(receipt.payer))
  y = drawSection(sheet, y, 'Quem recebeu', partyFacts(receipt.receiver))
  y = drawSection(sheet, y, 'Conta', [
    ['Titular', holder.name],
    ['CPF/CNPJ', holder.document],
    ['Banco', holder.bank],
    ['Agência e conta', `${holder.agency} / ${holder.account}`],
  ])
  y = drawSection(sheet, y, 'Identificação', [
    ['Número da transação', `${id}`],
    ['ID do Pix (EndToEnd)', receipt.endToEndId],
    ['TxID', receipt.txid],
  ])
  const foot = `Emitido em ${moment(issuedAt)}, horário de Brasília`
  sheet.line(foot, { x: X, y: y + 22, width: WIDTH }, { size: 7.6, color: MUTED })
  return document.save()
}
