import { setImmediate } from 'node:timers/promises'
import type { ContractRenderer, ContractSection, PrintedContract } from '../../core/ports/contract-renderer.ts'
import { slots } from '../turns/slots.ts'
import { MUTED, mm, openSheet, type Sheet } from './sheet.ts'

const X = mm(20)
const WIDTH = mm(170)
const LABEL = { size: 8.4, color: MUTED } as const
const LABEL_WIDTH = 132
const VALUE = { size: 9.2 } as const
/** A name or an address of a length that people have stands in full; what is over it is cut. */
const VALUE_LINES = 2
const LINE = VALUE.size * 1.22
const ROW_GAP = 2.6
const SECTION_GAP = 11
/** Where signatures stand, whatever is above them. */
const SIGNATURES = mm(297) - 92
const FOOT = mm(297) - 34
const GAP = 26

const drawHead = (sheet: Sheet, { id, title, agency }: PrintedContract): number => {
  sheet.line(agency.name, { x: X, y: 48, width: WIDTH }, { size: 11.4, bold: true, least: 7 })
  if (agency.document !== null) sheet.line(`CNPJ ${agency.document}`, { x: X, y: 61, width: WIDTH }, LABEL)
  sheet.rule({ x: X, y: 71 }, { x: X + WIDTH, y: 71 }, 1)
  sheet.line(title, { x: X, y: 95, width: WIDTH }, { size: 16, bold: true })
  sheet.line(`Nº ${id}`, { x: X, y: 109, width: WIDTH }, LABEL)
  return 116
}

const drawFact = (sheet: Sheet, y: number, [label, value]: ContractSection['facts'][number]): number => {
  sheet.line(label, { x: X, y: y + VALUE.size * 0.78, width: LABEL_WIDTH - 8 }, LABEL)
  const box = { x: X + LABEL_WIDTH, y, width: WIDTH - LABEL_WIDTH, height: VALUE_LINES * LINE }
  return sheet.lines(value, box, VALUE) + ROW_GAP
}

const drawSection = (sheet: Sheet, y: number, { title, facts }: ContractSection): number => {
  sheet.line(title, { x: X, y: y + SECTION_GAP + 9, width: WIDTH }, { size: 10.4, bold: true })
  sheet.rule({ x: X, y: y + SECTION_GAP + 14 }, { x: X + WIDTH, y: y + SECTION_GAP + 14 }, 0.4)
  return facts.reduce((under, each) => drawFact(sheet, under, each), y + SECTION_GAP + 19)
}

const drawSigners = (sheet: Sheet, signers: PrintedContract['signers']): void => {
  const width = (WIDTH - GAP * (signers.length - 1)) / signers.length
  for (const [index, { role, name }] of signers.entries()) {
    const x = X + index * (width + GAP)
    sheet.rule({ x, y: SIGNATURES }, { x: x + width, y: SIGNATURES })
    sheet.line(name, { x, y: SIGNATURES + 12, width }, { size: 9, least: 6 })
    sheet.line(role, { x, y: SIGNATURES + 23, width }, LABEL)
  }
}

const drawn = async (contract: PrintedContract): Promise<Uint8Array> => {
  const sheet = await openSheet(contract)
  const { document } = sheet
  const on = new Date(contract.updatedAt)
  document.setTitle(`${contract.title} ${contract.id}`, { showInWindowTitleBar: true })
  document.setAuthor(contract.agency.name)
  document.setLanguage('pt-BR')
  document.setProducer('Portico')
  document.setCreator('Portico')
  document.setCreationDate(on)
  document.setModificationDate(on)
  contract.sections.reduce((y, section) => drawSection(sheet, y, section), drawHead(sheet, contract))
  drawSigners(sheet, contract.signers)
  const foot = `Código de verificação: ${contract.fingerprint}`
  sheet.line(foot, { x: X, y: FOOT, width: WIDTH }, { size: 7.4, color: MUTED })
  return document.save()
}

const oneByOne = slots(1)

/** Contracts by pdf-lib, one at a time, so that between two of them whoever else has come is served. */
export const pdfContractRenderer: ContractRenderer = {
  contractPdf: (contract) =>
    oneByOne(async () => {
      await setImmediate()
      return drawn(contract)
    }),
}
