import type { Instant } from '../kernel/values/day.ts'

/** A part of a contract as paper tells it: what each thing is called, and what it is. */
export interface ContractSection {
  readonly title: string
  readonly facts: readonly (readonly [label: string, value: string])[]
}

/** A contract as paper tells it: all texts are in Portuguese, whatever they hold; no length is too long. */
export interface PrintedContract {
  readonly id: string
  /** `Contrato de locação`. */
  readonly title: string
  /** Who brought it about, with a document that has its marks. */
  readonly agency: { readonly name: string; readonly document: string | null }
  readonly sections: readonly ContractSection[]
  /** Who signs: as what, and by which name. */
  readonly signers: readonly { readonly role: string; readonly name: string }[]
  /** When it became what it is: the same contract is the same bytes. */
  readonly updatedAt: Instant
  /** By which two copies are told to say the same. */
  readonly fingerprint: string
}

/** Draws contracts as PDF, on one A4 page. */
export interface ContractRenderer {
  contractPdf(contract: PrintedContract): Promise<Uint8Array>
}
