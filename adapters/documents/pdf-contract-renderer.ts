import type { ContractRenderer, ContractSection, PrintedContract } from '../../core/ports/documents.ts'
import { drawingQueue, setMetadata } from './document.ts'
import { fittingSize, MUTED, mm, openSheet, type Sheet } from './sheet.ts'

const X = mm(20)
const WIDTH = mm(170)
const LABEL = { size: 8.4, color: MUTED } as const
const LABEL_WIDTH = 132
const VALUE_WIDTH = WIDTH - LABEL_WIDTH
const LARGEST = 9.2
const ROW_GAP = 2.6
const SECTION_GAP = 11
const SECTION_HEAD = SECTION_GAP + 19
const SIGNATURES = mm(297) - 92
/** The room to sign, above the lines. */
const SIGNING_HEIGHT = 40
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

const sectionsHeight = (sheet: Sheet, sections: readonly ContractSection[], size: number): number =>
  sections
    .flatMap(({ facts }) => facts)
    .reduce((sum, fact) => sum + factHeight(sheet, fact, size), sections.length * SECTION_HEAD)

const drawSigners = (sheet: Sheet, signers: PrintedContract['signers']): void => {
  const width = (WIDTH - GAP * (signers.length - 1)) / signers.length
  for (const [index, { role, name }] of signers.entries()) {
    const x = X + index * (width + GAP)
    sheet.rule({ x, y: SIGNATURES }, { x: x + width, y: SIGNATURES })
    const under = sheet.lines(name, { x, y: SIGNATURES + 4, width, height: 32 }, { size: 9 })
    sheet.line(role, { x, y: under + 8, width }, LABEL)
  }
}

const draw = async (contract: PrintedContract): Promise<Uint8Array> => {
  const sheet = await openSheet(contract)
  const { id, title, agency, sections, updatedAt } = contract
  setMetadata(sheet.document, { title: `${title} ${id}`, author: agency.name, createdAt: updatedAt })
  const from = drawHead(sheet, contract)
  const room = SIGNATURES - SIGNING_HEIGHT - from
  const size = fittingSize(LARGEST, (size) => sectionsHeight(sheet, sections, size) <= room)
  sections.reduce((y, section) => drawSection(sheet, y, section, size), from)
  drawSigners(sheet, contract.signers)
  const foot = `Código de verificação: ${contract.fingerprint}`
  sheet.line(foot, { x: X, y: FOOT, width: WIDTH }, { size: 7.4, color: MUTED })
  return sheet.document.save()
}

const enqueue = drawingQueue()

/** Draws contracts with pdf-lib, on one page each. */
export const pdfContractRenderer: ContractRenderer = { contractPdf: (contract) => enqueue(() => draw(contract)) }
