"""What the runs say: a record → a pool of candidates, and what is laid over it. Pure."""

from venire.assess.altered import altered
from venire.assess.decided import decision_on
from venire.assess.gate import Policy
from venire.assess.overlay import Overlay, overlay
from venire.assess.pool import assess

__all__ = ["Overlay", "Policy", "altered", "assess", "decision_on", "overlay"]
