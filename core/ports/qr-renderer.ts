/** Draws what a person looks at. */
export interface QrRenderer {
  /** A QR code of the text as PNG: byte mode, error correction M, quiet zone of 4 modules. */
  qrPng(text: string): Promise<Uint8Array>
}
