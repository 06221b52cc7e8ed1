import { Moon, Sun } from 'lucide-react';
import { useState } from 'react';
import controls from '../ui/controls.module.css';

type Theme = 'dark' | 'light';

const themeNow = (): Theme => (document.documentElement.dataset['theme'] === 'light' ? 'light' : 'dark');

export function ThemeSwitch() {
  const [theme, setTheme] = useState<Theme>(themeNow);
  const other = theme === 'dark' ? 'light' : 'dark';
  const change = (): void => {
    document.documentElement.dataset['theme'] = other;
    localStorage.setItem('hindsight.theme', other);
    setTheme(other);
    // Pictures and charts take their colours from the theme.
    window.dispatchEvent(new Event('hindsight:theme'));
  };
  return (
    <button
      type="button"
      className={controls.icon}
      onClick={change}
      aria-label={`Change to ${other}`}
      title={`Change to ${other}`}
    >
      {theme === 'dark' ? <Sun size={17} aria-hidden /> : <Moon size={17} aria-hidden />}
    </button>
  );
}
