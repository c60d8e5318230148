/** An aircraft’s nose over a deck line, as in the icon of the window. */
export const Logo = ({ size = 28 }: { size?: number }) => (
  <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
    <rect width="32" height="32" rx="8" fill="#1769e0" />
    <path d="M6 20 26 8l-6 16-5-5z" fill="#fff" />
    <path d="M6 26h20" stroke="#9cc5ff" strokeWidth="2.5" strokeLinecap="round" />
  </svg>
)
