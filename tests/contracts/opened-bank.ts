import { randomUUID } from 'node:crypto'
import type { Bank, BankAnswer } from '../../core/ports/bank.ts'

/** A bank, or its sandbox. */
export interface OpenedBank {
  readonly bank: Bank
  close(): Promise<void>
}

/** An id of ours, as long as the bank wants it. */
export const anId = ({ txidLength }: Pick<Bank, 'txidLength'>): string =>
  `${randomUUID()}${randomUUID()}`.replaceAll('-', '').slice(0, txidLength)

export const doneBy = <T>(answer: BankAnswer<T>): T => {
  if (answer.outcome !== 'done') throw new Error(`the bank answered ${JSON.stringify(answer)}`)
  return answer.value
}

export const accountOf = async (bank: Bank, reference = anId(bank)) =>
  doneBy(await bank.openAccount({ reference, name: 'Açaí & Cia', document: '11222333000181' }))

export const isInstant = (text: string): boolean => new Date(text).toISOString() === text
