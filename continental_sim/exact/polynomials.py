"""Polynomials with whole coefficients as single integers: coefficient beside coefficient.

Hands counted by their number of cards are the coefficients of a polynomial, and to join what two
hands hold is to multiply theirs. Written at a power of two above every coefficient, polynomials add
and multiply as integers do (Kronecker): many products in one multiplication, all of them exact.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Polynomials:
    """Polynomials up to a degree.

    Attributes
    ----------
    degree : int
        Higher powers are cut off.
    bits : int
        Room for a coefficient; none may need more.
    """

    degree: int
    bits: int

    def term(self, coefficient: int, power: int) -> int:
        """Return a polynomial of one term."""
        return coefficient << self.bits * power

    def cut(self, polynomial: int) -> int:
        """Cut the powers above the degree off."""
        return polynomial & ((1 << self.bits * (self.degree + 1)) - 1)

    def coefficient(self, polynomial: int, power: int) -> int:
        """Return one coefficient."""
        return polynomial >> self.bits * power & ((1 << self.bits) - 1)
