// Texts of other languages are imported as strings.

declare module '*.css' {
  const text: string
  export default text
}

declare module '*.eta' {
  const text: string
  export default text
}

declare module '*.md' {
  const text: string
  export default text
}

declare module '*.text.js' {
  const text: string
  export default text
}
