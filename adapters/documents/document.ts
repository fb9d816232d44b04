import { setImmediate } from 'node:timers/promises'
import type { PDFDocument } from 'pdf-lib'
import type { Instant } from '../../core/kernel/values/day.ts'
import { formatReais } from '../../core/kernel/values/money.ts'
import { slots } from '../concurrency/slots.ts'

export interface Metadata {
  readonly title: string
  readonly author: string
  /** The creation time of the file. It comes from the content, so that equal content gives equal bytes. */
  readonly createdAt: Instant
}

export const setMetadata = (document: PDFDocument, { title, author, createdAt }: Metadata): void => {
  const date = new Date(createdAt)
  document.setTitle(title, { showInWindowTitleBar: true })
  document.setAuthor(author)
  document.setLanguage('pt-BR')
  document.setProducer('Portico')
  document.setCreator('Portico')
  document.setCreationDate(date)
  document.setModificationDate(date)
}

/**
 * Returns a queue that draws one document at a time. Drawing blocks the event loop, which runs between two documents.
 */
export const drawingQueue = () => {
  const run = slots(1)
  return (draw: () => Promise<Uint8Array>, caller = ''): Promise<Uint8Array> =>
    run(async () => {
      await setImmediate()
      return draw()
    }, caller)
}

/** Formats an amount without its currency sign, for fields and columns that name the currency. */
export const plainReais = (cents: number): string => formatReais(cents).replace('R$ ', '')
