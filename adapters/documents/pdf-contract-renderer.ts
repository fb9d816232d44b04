import { setImmediate } from 'node:timers/promises'
import type { ContractRenderer, ContractSection, PrintedContract } from '../../core/ports/documents.ts'
import { slots } from '../concurrency/slots.ts'
import { MUTED, mm, openSheet, type Sheet } from './sheet.ts'

const X = mm(20)
const WIDTH = mm(170)
const LABEL = { size: 8.4, color: MUTED } as const
const LABEL_WIDTH = 132
const VALUE_WIDTH = WIDTH - LABEL_WIDTH
/** Of what was agreed, and what it becomes where all of it would not stand above the signatures. */
const [LARGEST, SMALLEST, STEP] = [9.2, 3.2, 0.3]
const ROW_GAP = 2.6
const SECTION_GAP = 11
const SECTION_HEAD = SECTION_GAP + 19
/** Where signatures stand, whatever is above them. */
const SIGNATURES = mm(297) - 92
/** Room for a hand above them. */
const HAND = 40
const FOOT = mm(297) - 34
const GAP = 26

const drawHead = (sheet: Sheet, { id, title, agency }: PrintedContract): number => {
  sheet.lines(agency.name, { x: X, y: 38, width: WIDTH, height: 14 }, { size: 11.4, bold: true })
  if (agency.document !== null) sheet.line(`CNPJ ${agency.document}`, { x: X, y: 61, width: WIDTH }, LABEL)
  sheet.rule({ x: X, y: 71 }, { x: X + WIDTH, y: 71 }, 1)
  sheet.line(title, { x: X, y: 95, width: WIDTH }, { size: 16, bold: true })
  sheet.line(`Nº ${id}`, { x: X, y: 109, width: WIDTH }, LABEL)
  return 116
}

type Fact = ContractSection['facts'][number]

const factHeight = (sheet: Sheet, [, value]: Fact, size: number): number =>
  sheet.height(value, VALUE_WIDTH, { size }) + ROW_GAP

const drawFact = (sheet: Sheet, y: number, fact: Fact, size: number): number => {
  const [label, value] = fact
  const height = factHeight(sheet, fact, size)
  sheet.line(
    label,
    { x: X, y: y + size * 0.78, width: LABEL_WIDTH - 8 },
    { ...LABEL, size: Math.min(LABEL.size, size) },
  )
  sheet.lines(value, { x: X + LABEL_WIDTH, y, width: VALUE_WIDTH, height }, { size })
  return y + height
}

const drawSection = (sheet: Sheet, y: number, { title, facts }: ContractSection, size: number): number => {
  sheet.line(title, { x: X, y: y + SECTION_GAP + 9, width: WIDTH }, { size: 10.4, bold: true })
  sheet.rule({ x: X, y: y + SECTION_GAP + 14 }, { x: X + WIDTH, y: y + SECTION_GAP + 14 }, 0.4)
  return facts.reduce((under, each) => drawFact(sheet, under, each, size), y + SECTION_HEAD)
}

/** The largest size at which all sections stand between a height and the signatures. */
const fittingSize = (sheet: Sheet, from: number, sections: readonly ContractSection[]): number => {
  const heightAt = (size: number): number =>
    sections
      .flatMap(({ facts }) => facts)
      .reduce((sum, fact) => sum + factHeight(sheet, fact, size), sections.length * SECTION_HEAD)
  let size: number = LARGEST
  while (from + heightAt(size) > SIGNATURES - HAND && size > SMALLEST) size -= STEP
  return size
}

const drawSigners = (sheet: Sheet, signers: PrintedContract['signers']): void => {
  const width = (WIDTH - GAP * (signers.length - 1)) / signers.length
  for (const [index, { role, name }] of signers.entries()) {
    const x = X + index * (width + GAP)
    sheet.rule({ x, y: SIGNATURES }, { x: x + width, y: SIGNATURES })
    const under = sheet.lines(name, { x, y: SIGNATURES + 4, width, height: 32 }, { size: 9 })
    sheet.line(role, { x, y: under + 8, width }, LABEL)
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
  const from = drawHead(sheet, contract)
  const size = fittingSize(sheet, from, contract.sections)
  contract.sections.reduce((y, section) => drawSection(sheet, y, section, size), from)
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
